// Tests of et-inspect verify on real files: every broken one gets the verdict of its manifest.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;

const std::map<std::string_view, int> exitCodes{{"pass", 0}, {"fail", 1}, {"error", 3}};

/// Result for the first file of a report.
struct Answer {
    int code = -1;
    std::string verdict;
    std::string message;
};

Answer verify(const std::string& arguments, const fs::path& folder) {
    const Outcome outcome = runShell("et-inspect verify --format json " + arguments,
                                     {.folder = folder, .environment = {}, .terminalColumns = {}});
    dom::parser parser;
    const simdjson::padded_string text(outcome.out);
    const dom::element file = parser.parse(text)["files"].at(0);
    return {.code = outcome.code,
            .verdict = std::string(file["verdict"].get_string().value()),
            .message = std::string(file["message"].get_string().value())};
}

/// Files that are not bundled programs have no cases to pass or fail.
std::string wantedVerdict(std::string_view file, std::string_view manifest) {
    return file.ends_with(".bpte") ? std::string(manifest) : "error";
}

TEST(VerifyConformance, BrokenFilesGetTheVerdictOfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder scratch;
    const fs::path folder = sharedData() / "broken";
    dom::parser parser;
    const dom::element manifest = parser.load((folder / "manifest.json").string());
    std::size_t checked = 0;
    for (const dom::element entry : dom::array(manifest)) {
        const std::string_view file = entry["file"];
        const std::string wanted = wantedVerdict(file, entry["verdict"]);
        const Answer answer =
            verify(fmt::format("--timeout 60 '{}'", (folder / file).string()), scratch.path());
        EXPECT_EQ(answer.verdict, wanted) << file << ": " << answer.message;
        EXPECT_EQ(answer.code, exitCodes.at(wanted)) << file;
        EXPECT_EQ(answer.message.find('\n'), std::string::npos) << file;
        EXPECT_NE(answer.message, "") << file;
        EXPECT_EQ(answer.message.find("crashed"), std::string::npos) << file << ": " << answer.message;
        ++checked;
    }
    EXPECT_GT(checked, 100U);
}

TEST(VerifyConformance, ProgramsPassWithTheirData) {
    ET_NEEDS_SHARED_DATA();
    const fs::path programs = sharedData() / "programs";
    const auto run = [&](const std::string& arguments) { return verify(arguments, programs); };
    EXPECT_EQ(run("simple/portable.bpte").verdict, "pass");
    EXPECT_EQ(run("ext_const/portable_all.bpte").verdict, "pass") << "with the .ptd beside it";
    const ScratchFolder alone;
    fs::copy_file(programs / "ext_const/portable_all.bpte", alone.path() / "portable_all.bpte");
    EXPECT_EQ(verify("portable_all.bpte", alone.path()).verdict, "error") << "needs its .ptd";
    EXPECT_EQ(run("ext_const/portable_all.bpte --data ext_const/portable_all._default_external_constant.ptd")
                  .verdict,
              "pass");
    EXPECT_EQ(run("map/dynamic.bpte").verdict, "error") << "case 2 is larger than the plan allows";
    EXPECT_EQ(run("map/dynamic.bpte --case 1").verdict, "pass");
    EXPECT_EQ(run("counter/portable.bpte --case 2").verdict, "pass") << "counts on those before";
    EXPECT_EQ(run("counter/portable.bpte --iterations 3").verdict, "pass") << "each starts anew";
}

TEST(VerifyConformance, PortableOperatorsPassAtTheirTolerances) {
    ET_NEEDS_SHARED_DATA();
    const Outcome outcome =
        runShell("et-inspect verify ops/portable --in-process --tolerances manifest.json --format github",
                 {.folder = sharedData(), .environment = {}, .terminalColumns = {}});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
}

TEST(VerifyConformance, ReportsTheTensorDataFile) {
    ET_NEEDS_SHARED_DATA();
    const Outcome outcome =
        runShell("et-inspect verify --format json portable_named.bpte",
                 {.folder = sharedData() / "programs/ext_const", .environment = {}, .terminalColumns = {}});
    EXPECT_NE(outcome.out.find(R"("data": ["portable_named.weights_a.ptd", "portable_named.weights_b.ptd"])"),
              std::string::npos)
        << outcome.out;
}

}  // namespace
}  // namespace et::test

#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

/// Tests of `et-inspect compare` and `baseline` on real programs and traces.
namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

Outcome run(const std::string& arguments, const fs::path& folder) {
    return runShell("et-inspect " + arguments, {.folder = folder, .environment = {}, .terminalColumns = {}});
}

std::string quoted(const fs::path& path) {
    return fmt::format("'{}'", path.string());
}

fs::path program(const std::string& name) {
    return sharedData() / "programs/mobilenet_v2_small" / name;
}

constexpr const char* fewRuns = " --iterations 6 --warmup 1 --format json";

TEST(CompareConformance, PortableAgainstDelegated) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const Outcome answer =
        run(fmt::format("compare {} {}{} --fail-on never --rtol 1e-2 --atol 1e-3",
                        quoted(program("portable.bpte")), quoted(program("xnnpack.bpte")), fewRuns),
            folder.path());
    ASSERT_EQ(answer.code, 0) << answer.err;
    simdjson::dom::parser parser;
    const element report = parser.parse(answer.out);
    const element method = report["methods"].at(0);
    EXPECT_EQ(std::uint64_t(method["total"]["runs_a"]), 6U);
    EXPECT_TRUE(bool(report["interleaved"]));
    std::set<std::string_view> alignments;
    for (const element row : method["operators"]) {
        alignments.insert(std::string_view(row["alignment"]));
    }
    EXPECT_EQ(alignments, (std::set<std::string_view>{"added", "removed"}));
    EXPECT_FALSE(bool(report["outputs_differ"]));
    EXPECT_TRUE(bool(report["outputs"].at(0)["agrees"]));
    EXPECT_EQ(std::string_view(report["a"]["settings"]["inputs"]), "case");
    EXPECT_FALSE(bool(report["program_diff"]["same"]));
    EXPECT_EQ(std::uint64_t(report["b"]["program"]["delegate_calls"]), 1U);
}

TEST(CompareConformance, DifferentOutputsAreRegressionsOnRequest) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const std::string quantized =
        fmt::format("compare {} {}{} --fail-on never", quoted(program("xnnpack.bpte")),
                    quoted(program("xnnpack_q8.bpte")), fewRuns);
    EXPECT_EQ(run(quantized, folder.path()).code, 0) << "nobody asked for the same numbers";
    EXPECT_EQ(run(quantized + " --rtol 1e-6 --atol 1e-6", folder.path()).code, 1);
}

TEST(CompareConformance, BaselineIsMatchedToItsProgram) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const fs::path record = program("xnnpack.etrecord");
    const Outcome saved = run(fmt::format("baseline save known {} {} --store s.db --iterations 6 --warmup 1",
                                          quoted(program("xnnpack.bpte")), quoted(record)),
                              folder.path());
    ASSERT_EQ(saved.code, 0) << saved.err;
    const Outcome answer = run(
        fmt::format("compare known {} --etrecord-after {} --store s.db --check-outputs --threshold 100000{}",
                    quoted(program("xnnpack.bpte")), quoted(record), fewRuns),
        folder.path());
    ASSERT_EQ(answer.code, 0) << answer.err;
    simdjson::dom::parser parser;
    const element report = parser.parse(answer.out);
    EXPECT_TRUE(bool(report["outputs"].at(0)["equal"]));
    EXPECT_EQ(std::string_view(report["a"]["program"]["sha256"]),
              std::string_view(report["b"]["program"]["sha256"]));
    EXPECT_EQ(std::string_view(report["a"]["source"]), "baseline");
    for (const element row : report["methods"].at(0)["operators"]) {
        EXPECT_NE(std::string_view(row["alignment"]), "added") << std::string_view(row["name"]);
        EXPECT_NE(std::string_view(row["alignment"]), "removed") << std::string_view(row["name"]);
    }
    EXPECT_EQ(run(fmt::format("compare known {} --store s.db --check-outputs --threshold 100000{}",
                              quoted(program("xnnpack_q8.bpte")), fewRuns),
                  folder.path())
                  .code,
              1)
        << "the quantized program gives other numbers";
}

TEST(CompareConformance, EveryTraceComparesWithItself) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    for (const fs::path& trace : sharedFiles("traces", ".etdp")) {
        const Outcome answer =
            run(fmt::format("compare {0} {0} --format markdown", quoted(trace)), folder.path());
        EXPECT_EQ(answer.code, 0) << trace << answer.err;
        EXPECT_TRUE(answer.out.starts_with("## No regression\n")) << trace;
    }
}

TEST(CompareConformance, BrokenFilesGiveAOneLineError) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    std::size_t tried = 0;
    for (const char* extension : {".etdp", ".pte"}) {
        for (const fs::path& file : sharedFiles("broken", extension)) {
            const Outcome answer = run(
                fmt::format("compare {0} {0} --iterations 1 --warmup 0 --timeout 20 --max-memory 1000000000",
                            quoted(file)),
                folder.path());
            EXPECT_TRUE(answer.code == 0 || answer.code == 1 || answer.code == 3) << file << answer.code;
            if (answer.code == 3) {
                EXPECT_EQ(std::ranges::count(answer.err, '\n'), 1) << answer.err;
            }
            ++tried;
        }
    }
    EXPECT_GT(tried, 0U);
}

}  // namespace
}  // namespace et::test

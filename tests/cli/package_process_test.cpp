// Commands that show packages (.ptn): one written by our code, and all real ones.
#include "tests/cli/process.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;
using testing::AllOf;
using testing::HasSubstr;

class PackageProcessTest : public testing::Test {
  protected:
    PackageProcessTest() { EXPECT_EQ(run("sample native -o .").code, 0); }

    [[nodiscard]] Outcome run(const std::string& command) const {
        return runShell("et-inspect " + command,
                        {.folder = scratch.path(), .environment = {}, .terminalColumns = {}});
    }
    /// The JSON document that a command prints.
    element json(const std::string& command) {
        const Outcome outcome = run(command + " --format json");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        text = simdjson::padded_string(outcome.out);
        return parser.parse(text);
    }

    ScratchFolder scratch;
    simdjson::dom::parser parser;
    simdjson::padded_string text;
};

TEST_F(PackageProcessTest, InfoHasMethodsStateAndQuantization) {
    const Outcome shown = run("info native.ptn");
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("package"), HasSubstr("program.ptg"),
                                 HasSubstr("float32 [1..4, 32]"), HasSubstr("4-bit in groups of 16"),
                                 HasSubstr("buffer calls"), HasSubstr("aten.relu.default")));
}

TEST_F(PackageProcessTest, SizeHasAnOwnerOfEachByte) {
    EXPECT_EQ(std::uint64_t(json("size native.ptn")["total"]), fs::file_size(scratch.path() / "native.ptn"));
    EXPECT_THAT(run("size native.ptn --by tensor").out,
                AllOf(HasSubstr("hidden.weight"), HasSubstr("head.bias")));
}

TEST_F(PackageProcessTest, TensorsAndGraphNameTheConstants) {
    EXPECT_THAT(
        run("tensors native.ptn").out,
        AllOf(HasSubstr("hidden.weight"), HasSubstr("4-bit in groups of 16 [16, 32]"), HasSubstr("calls")));
    const Outcome graph = run("graph native.ptn --format dot");
    EXPECT_EQ(graph.code, 0) << graph.err;
    EXPECT_THAT(graph.out, HasSubstr("aten_relu_default"));
}

TEST_F(PackageProcessTest, SqlHasItsGraph) {
    const Outcome rows =
        run("sql native.ptn \"SELECT operator, COUNT(*) FROM nodes JOIN graphs USING (graph) WHERE kind = "
            "'package' GROUP BY operator\" --format csv");
    EXPECT_EQ(rows.code, 0) << rows.err;
    EXPECT_THAT(rows.out, HasSubstr("aten.linear.default,2"));
}

TEST_F(PackageProcessTest, ShowsAllRealPackages) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : sharedFiles("ptn", ".ptn")) {
        SCOPED_TRACE(path);
        const element info = json("info " + path.string());
        EXPECT_EQ(std::string_view(info["kind"]), "package");
        EXPECT_EQ(info["warnings"].error() == simdjson::SUCCESS, path.filename() == "lost_constant.ptn");
        EXPECT_EQ(std::uint64_t(json("size " + path.string())["total"]), fs::file_size(path));
        for (const std::string command : {"graph --format dot ", "tensors "}) {
            const Outcome shown = run(command + path.string());
            EXPECT_EQ(shown.code, 0) << command << shown.err;
        }
    }
}

TEST_F(PackageProcessTest, RefusesDamagedPackagesInOneLine) {
    ET_NEEDS_SHARED_DATA();
    const fs::path folder = sharedData() / "broken_new";
    for (const element entry : parser.load((folder / "manifest.json").string()).get_array()) {
        const std::string name{std::string_view(entry["file"])};
        if (!name.ends_with(".ptn") || std::string_view(entry["verdict"]) == "any" ||
            name == "unknown_operator.ptn") {
            continue;
        }
        SCOPED_TRACE(name);
        const Outcome shown = run("info " + (folder / name).string());
        EXPECT_EQ(shown.code, 3);
        EXPECT_EQ(std::ranges::count(shown.err, '\n'), 1) << shown.err;
        EXPECT_THAT(shown.err, HasSubstr(name));
        if (element expected; entry["message_names"].get(expected) == simdjson::SUCCESS) {
            EXPECT_THAT(shown.err, HasSubstr(std::string{std::string_view(expected)}));
        }
    }
}

}  // namespace
}  // namespace et::test

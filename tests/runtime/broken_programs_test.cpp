#include "runtime/program/program.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>
#include <string>

namespace et::program {
namespace {

/// Programs whose fault shows only at run time: reading them succeeds.
const std::set<std::string_view> wrongOnlyWhenRun{"endless_loop.pte", "argument_type.pte"};

TEST(BrokenProgramsTest, GetTheVerdictOfTheManifest) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = test::sharedData() / "broken";
    simdjson::dom::parser parser;
    const simdjson::dom::element manifest = parser.load((folder / "manifest.json").string());
    std::size_t refused = 0;
    for (const simdjson::dom::element entry : simdjson::dom::array(manifest)) {
        const std::string_view file = entry["file"];
        if (!file.ends_with(".pte")) {
            continue;
        }
        SCOPED_TRACE(std::string(file));
        const auto program = Program::open(folder / file);
        if (!program) {
            const std::string line = program.error().toString();
            EXPECT_EQ(line.find('\n'), std::string::npos);
            EXPECT_NE(line.find(file), std::string::npos);
            EXPECT_FALSE(program.error().message.empty());
            ++refused;
        }
        if (std::string_view(entry["verdict"]) == "error") {
            EXPECT_EQ(program.has_value(), wrongOnlyWhenRun.contains(file));
        }
    }
    EXPECT_GE(refused, 15U);
}

/// Programs with one wrong number but a valid format open like any other.
TEST(BrokenProgramsTest, ProgramsWithANumericFaultOpen) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& path : test::sharedFiles("broken/gap", ".pte")) {
        const auto program = Program::open(path);
        EXPECT_TRUE(program) << program.error().toString();
    }
}

}  // namespace
}  // namespace et::program

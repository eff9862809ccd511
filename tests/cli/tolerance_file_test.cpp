#include "app/tasks/verify/tolerance_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::tasks {
namespace {

using bundled_program::Tolerance;
using core::ScalarType;
using testing::HasSubstr;

Tolerance toleranceOf(std::string_view json, const std::string& file, const VerifySettings& settings = {},
                      ScalarType dtype = ScalarType::Float) {
    const auto read = ToleranceFile::parse(json);
    EXPECT_TRUE(read) << read.error().toString();
    const auto made = read->settingsFor(file, settings);
    EXPECT_TRUE(made) << made.error().toString();
    return made->cases.tolerances.of(dtype);
}

std::string refused(std::string_view json) {
    const auto read = ToleranceFile::parse(json);
    return read ? "" : read.error().toString();
}

TEST(ToleranceFileTest, NamesAreEndsOfPaths) {
    constexpr std::string_view json = R"([{"file": "ops/add.bpte", "rtol": 0.25, "atol": 0.5}])";
    EXPECT_EQ(toleranceOf(json, "../data/ops/add.bpte").relative, 0.25);
    EXPECT_EQ(toleranceOf(json, "ops/add.bpte").absolute, 0.5);
    EXPECT_EQ(toleranceOf(json, "devops/add.bpte").relative, Tolerance().relative);
    EXPECT_EQ(toleranceOf(json, "add.bpte").relative, Tolerance().relative);
}

TEST(ToleranceFileTest, LaterEntriesWinPartByPart) {
    constexpr std::string_view json =
        R"([{"file": "*.bpte", "rtol": 0.25, "atol": 0.5}, {"file": "llama_?.bpte", "atol": 2}])";
    EXPECT_EQ(toleranceOf(json, "x/llama_1.bpte").relative, 0.25);
    EXPECT_EQ(toleranceOf(json, "x/llama_1.bpte").absolute, 2);
    EXPECT_EQ(toleranceOf(json, "x/add.bpte").absolute, 0.5);
}

TEST(ToleranceFileTest, TheCommandLineWins) {
    constexpr std::string_view json = R"([{"file": "a.bpte", "rtol": 0.25, "atol": 0.5}])";
    VerifySettings settings;
    settings.tolerances.relative = {"0.125"};
    EXPECT_EQ(toleranceOf(json, "a.bpte", settings).relative, 0.125);
    EXPECT_EQ(toleranceOf(json, "a.bpte", settings).absolute, 0.5);
}

TEST(ToleranceFileTest, DtypesHaveTheirOwn) {
    constexpr std::string_view json =
        R"([{"file": "a.bpte", "rtol": 0.25, "dtypes": {"int8": {"atol": 1}, "float16": {"rtol": 0.5}}}])";
    EXPECT_EQ(toleranceOf(json, "a.bpte", {}, ScalarType::Char).absolute, 1);
    EXPECT_EQ(toleranceOf(json, "a.bpte", {}, ScalarType::Half).relative, 0.5);
    EXPECT_EQ(toleranceOf(json, "a.bpte").relative, 0.25);
    EXPECT_EQ(toleranceOf(json, "a.bpte", {}, ScalarType::Int).absolute, 0);
}

TEST(ToleranceFileTest, LimitsOfOutputsStandBesideTolerances) {
    const auto read = ToleranceFile::parse(
        R"([{"file": "*.bpte", "sqnr": 30, "top1": true}, {"file": "a.bpte", "steps": 2, "sqnr": 40}])");
    ASSERT_TRUE(read) << read.error().toString();
    VerifySettings settings;
    settings.limits.steps = 1;
    const auto limits = read->settingsFor("a.bpte", settings)->limits;
    EXPECT_EQ(limits.steps, 1.0) << "the command line wins";
    EXPECT_EQ(limits.sqnr, 40.0) << "the later entry wins";
    EXPECT_TRUE(limits.top1);
    EXPECT_EQ(read->settingsFor("b.bpte", {})->limits.sqnr, 30.0);
    EXPECT_THAT(refused(R"([{"file": "a", "steps": -1}])"), HasSubstr("[0].steps"));
    EXPECT_THAT(refused(R"([{"file": "a", "top1": 3}])"), HasSubstr("[0].top1"));
}

TEST(ToleranceFileTest, FindsListsInAnObject) {
    constexpr std::string_view json = R"({
        "version": 3, "names": ["x"],
        "operators": [{"file": "add.bpte", "rtol": 0.25}],
        "programs": [{"files": ["p.pte", "p.bpte"], "atol": 0.5, "methods": []}],
        "traces": [{"files": ["t.etdp"]}]})";
    EXPECT_EQ(toleranceOf(json, "add.bpte").relative, 0.25);
    EXPECT_EQ(toleranceOf(json, "dir/p.bpte").absolute, 0.5);
}

TEST(ToleranceFileTest, RejectsEmptyEntries) {
    EXPECT_THAT(refused("{"), HasSubstr("expected JSON"));
    EXPECT_THAT(refused("3"), HasSubstr("expected a list of tolerances"));
    EXPECT_THAT(refused("[]"), HasSubstr("got none"));
    EXPECT_THAT(refused(R"([{"rtol": 1}])"), HasSubstr("[0]"));
    EXPECT_THAT(refused(R"([{"file": "a", "rtol": -1}])"),
                HasSubstr("[0].rtol: expected a non-negative number"));
    EXPECT_THAT(refused(R"([{"file": "a", "rtol": "1"}])"), HasSubstr("expected a non-negative number"));
    EXPECT_THAT(refused(R"({"x": [{"file": "a", "atol": true}]})"), HasSubstr("x[0].atol"));
}

TEST(ToleranceFileTest, ErrorNamesUnknownDtype) {
    const auto read = ToleranceFile::parse(R"([{"file": "a", "dtypes": {"float17": {"rtol": 1}}}])");
    ASSERT_TRUE(read);
    const auto made = read->settingsFor("a", {});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("float17"));
}

}  // namespace
}  // namespace et::tasks

// Tests of the legal input sizes found by runs: boundary cases, verdicts, and reports between processes.
#include "app/tasks/shapes/shape_cases.h"
#include "app/tasks/shapes/shape_probe.h"
#include "app/tasks/shapes/shape_report.h"
#include "app/tasks/shapes/shapes_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using program::ShapeDynamism;
using testing::ElementsAre;
using testing::HasSubstr;

/// Returns tensors whose dimensions are independent symbols, as without a record.
ShapeSpace spaceOf(const std::vector<std::vector<std::int64_t>>& bounds) {
    ShapeSpace space{.method = "forward"};
    for (const auto& sizes : bounds) {
        ShapedInput& input = space.inputs.emplace_back();
        input.isTensor = true;
        input.dynamism = ShapeDynamism::Bounded;
        for (const std::int64_t bound : sizes) {
            const std::string name = "d" + std::to_string(space.symbols.size());
            space.symbols.push_back({.name = name, .maximum = bound, .typical = bound});
            input.dimensions.push_back({.size = name, .bound = bound});
        }
    }
    return space;
}

std::vector<std::string> sizesTexts(const ShapeSpace& space) {
    std::vector<std::string> texts;
    for (const ShapedInput& input : space.inputs) {
        for (const ShapeDimension& each : input.dimensions) {
            texts.push_back(each.size);
        }
    }
    return texts;
}

TEST(ShapeProbe, FindsIndependentLinkedAndFixedDimensions) {
    // [batch, 8] and [batch, length] with length >= 3.
    ShapeSpace space = spaceOf({{16, 8}, {16, 32}});
    const auto runs = [](const InputSizes& sizes) -> core::Result<bool> {
        return sizes[0][0] == sizes[1][0] && sizes[0][1] == 8 && sizes[1][1] >= 3;
    };
    ASSERT_TRUE(probe(space, runs));
    EXPECT_THAT(sizesTexts(space), ElementsAre("d1", "8", "d1", "d0"));
    ASSERT_NE(space.find("d0"), nullptr);
    EXPECT_EQ(space.find("d0")->minimum, 3);
    EXPECT_EQ(space.find("d0")->maximum, 32);
    EXPECT_EQ(space.find("d0")->minimumFrom, BoundSource::Probe);
    EXPECT_EQ(space.find("d1")->minimum, 1);
}

TEST(ShapeProbe, FindsThreeThatBelongTogether) {
    ShapeSpace space = spaceOf({{4}, {4}, {4}});
    const auto runs = [](const InputSizes& sizes) -> core::Result<bool> {
        return sizes[0][0] == sizes[1][0] && sizes[1][0] == sizes[2][0];
    };
    ASSERT_TRUE(probe(space, runs));
    EXPECT_THAT(sizesTexts(space), ElementsAre("d0", "d0", "d0"));
    EXPECT_EQ(space.find("d0")->minimum, 1);
}

TEST(ShapeProbe, ReportsSizesThatNeverRun) {
    ShapeSpace space = spaceOf({{4}});
    const auto never = [](const InputSizes&) -> core::Result<bool> { return false; };
    EXPECT_EQ(probe(space, never).error().code, core::ErrorCode::Unsupported);
}

bool hasCase(const std::vector<ShapeCase>& cases, ShapeCaseKind place, const InputSizes& sizes) {
    return std::ranges::any_of(
        cases, [&](const ShapeCase& each) { return each.place == place && each.sizes == sizes; });
}

TEST(ShapeCases, AreAtBelowAndBeyondEachBound) {
    ShapeSpace space{.method = "forward", .fromRecord = true};
    space.symbols = {
        {.name = "s0", .minimum = 2, .maximum = 16, .typical = 5, .minimumFrom = BoundSource::Record}};
    for (int i = 0; i < 2; ++i) {
        space.inputs.push_back({.name = "x", .isTensor = true, .dynamism = ShapeDynamism::Bounded});
        space.inputs.back().dimensions = {{.size = "s0", .bound = 16}, {.size = "8", .bound = 8}};
    }
    const auto cases = boundCases(space);
    ASSERT_TRUE(cases);
    const auto both = [](std::int64_t rows) { return InputSizes{{rows, 8}, {rows, 8}}; };
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Typical, both(5)));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Minimum, both(2)));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Maximum, both(16)));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Inside, both(15)));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Below, both(1)));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Beyond, both(17)));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Fixed, {{5, 7}, {5, 8}}));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Relation, {{5, 8}, {4, 8}}));
    EXPECT_TRUE(hasCase(*cases, ShapeCaseKind::Exchange, {{17, 4}, {16, 8}}));
    for (std::size_t i = 0; i < cases->size(); ++i) {
        EXPECT_EQ(std::ranges::count(*cases, (*cases)[i].sizes, &ShapeCase::sizes), 1);
    }
}

ShapeCase caseOf(ShapeCaseKind place, double error) {
    ShapeCase made{.place = place};
    made.report.outputs = {{.sizes = {4},
                            .referenceSizes = {4},
                            .elements = 4,
                            .beyond = error > 1e-4 ? 1U : 0U,
                            .maxError = error,
                            .magnitude = 1,
                            .tolerance = 1e-4,
                            .first = {0}}};
    return made;
}

TEST(ShapeJudgement, UsualErrorWithinLimitsPasses) {
    std::vector<ShapeCase> usual;
    for (int i = 0; i < 8; ++i) {
        usual.push_back(caseOf(ShapeCaseKind::Inside, 1e-4));
    }
    usual.push_back(caseOf(ShapeCaseKind::Maximum, 4e-4));
    usual.push_back(caseOf(ShapeCaseKind::Minimum, 6e-4));
    judge(usual);
    EXPECT_EQ(usual[0].verdict, ShapeVerdict::Pass);
    EXPECT_EQ(usual[8].verdict, ShapeVerdict::Pass) << usual[8].reason;
    EXPECT_EQ(usual[9].verdict, ShapeVerdict::Fail);

    std::vector<ShapeCase> wrong(5, caseOf(ShapeCaseKind::Inside, 0.4));
    judge(wrong);
    EXPECT_EQ(wrong[0].verdict, ShapeVerdict::Fail) << "wrong at all sizes is not usual";
}

TEST(ShapeJudgement, IllegalSizesHaveToBeAnErrorOrWhatTheGraphGives) {
    std::vector<ShapeCase> cases(5, caseOf(ShapeCaseKind::Beyond, 0));
    cases[1].report.end = ShapeEnd::Refused;
    cases[2].report.end = ShapeEnd::Crashed;
    cases[3].report.referenceRefused = "no such shape";
    cases[4].report.outputs.clear();
    cases[4].report.noReference = "no record";
    judge(cases);
    EXPECT_EQ(cases[0].verdict, ShapeVerdict::Allowed);
    EXPECT_EQ(cases[1].verdict, ShapeVerdict::Pass);
    EXPECT_EQ(cases[2].verdict, ShapeVerdict::Fail);
    EXPECT_EQ(cases[3].verdict, ShapeVerdict::Fail);
    EXPECT_THAT(cases[3].reason, HasSubstr("no error, but the graph fails"));
    EXPECT_EQ(cases[4].verdict, ShapeVerdict::Unchecked);
}

TEST(ShapeReport, IsReadBackAsWritten) {
    ShapeReport report = caseOf(ShapeCaseKind::Inside, 0.25).report;
    report.end = ShapeEnd::Refused;
    report.message = "no \"shape\"\n";
    report.memory = {.planned = 1,
                     .growing = 2,
                     .temporary = 3,
                     .temporaryBy = "mm",
                     .workspace = 4,
                     .workspaces = {5, 6}};
    report.nanoseconds = 17;
    const auto read = readShapeReport(shapeReportJson(report));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->end, ShapeEnd::Refused);
    EXPECT_EQ(read->message, report.message);
    EXPECT_EQ(read->outputs.at(0).maxError, 0.25);
    EXPECT_EQ(read->outputs.at(0).sizes, report.outputs[0].sizes);
    EXPECT_EQ(read->memory.workspaces, report.memory.workspaces);
    EXPECT_EQ(read->memory.temporaryBy, "mm");
    EXPECT_EQ(shapeReportJson(*read), shapeReportJson(report));
}

TEST(ShapeReport, AnythingElseIsAnError) {
    const std::string good = shapeReportJson(ShapeReport{});
    for (std::size_t length = 0; length < good.size() - 1; ++length) {
        EXPECT_FALSE(readShapeReport(std::string_view(good).substr(0, length))) << length;
    }
    for (const char* const text : {"[]", "{}", "{\"schema\": 2}", "{\"schema\": 1, \"end\": \"late\"}"}) {
        EXPECT_FALSE(readShapeReport(text)) << text;
    }
}

TEST(SizeRange, IsNameFirstLastAndStep) {
    const auto range = parseSizeRange("s0=1..128:16");
    ASSERT_TRUE(range);
    EXPECT_EQ(range->symbol, "s0");
    EXPECT_EQ(range->first, 1);
    EXPECT_EQ(range->last, 128);
    EXPECT_EQ(range->step, 16);
    EXPECT_EQ(parseSizeRange("d1=4..4")->step, 0);
    for (const char* const wrong : {"", "s0", "s0=", "s0=1", "s0=1..", "s0=2..1", "=1..2", "s0=1..2:0",
                                    "s0=1..2:", "s0=-1..2", "s0=1..2x", "s0=1..99999999999999999999"}) {
        EXPECT_FALSE(parseSizeRange(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace et::tasks

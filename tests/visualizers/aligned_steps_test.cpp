// Tests of two programs side by side: rows, folding and arrows.
#include "visualizers/compare/aligned_steps.h"

#include <gtest/gtest.h>

namespace et::test {

namespace {

using inspector::Change;
using inspector::ProgramDiff;
using inspector::StepDiff;
using visualizers::AlignedRow;
using visualizers::AlignedSteps;

StepDiff same(std::size_t before, std::size_t after) {
    return {.before = before, .after = after, .name = "aten::add.out"};
}

/// Five equal steps, one added, one changed, one removed, two equal.
ProgramDiff madeUpDiff() {
    inspector::MethodDiff method;
    method.name = "forward";
    for (std::size_t i = 0; i < 5; ++i) {
        method.steps.push_back(same(i, i));
    }
    method.steps.push_back({.change = Change::Added, .after = 5, .name = "aten::relu.out"});
    method.steps.push_back({.change = Change::Changed,
                            .before = 5,
                            .after = 6,
                            .name = "aten::mul.out",
                            .attributes = {{"argument 1", "2", "3"}}});
    method.steps.push_back({.change = Change::Removed, .before = 6, .name = "aten::sub.out"});
    method.steps.push_back(same(7, 7));
    method.steps.push_back(same(8, 8));
    ProgramDiff diff;
    diff.methods.push_back(std::move(method));
    return diff;
}

TEST(AlignedStepsTest, AlignsEqualStepsAndFoldsLongRuns) {
    const AlignedSteps steps = AlignedSteps::of(madeUpDiff(), {});
    ASSERT_EQ(steps.rows.size(), 6U);
    EXPECT_EQ(steps.rows[0].kind, AlignedRow::Kind::Same);
    EXPECT_EQ(steps.rows[0].texts[0], QStringLiteral("5 equal"));
    EXPECT_TRUE(steps.rows[1].texts[0].isEmpty()) << "the first program does not have it";
    EXPECT_EQ(steps.rows[1].texts[1], QStringLiteral("5 aten::relu.out"));
    EXPECT_FALSE(steps.rows[1].first);
    EXPECT_TRUE(steps.rows[2].tip.contains(QStringLiteral("argument 1: 2 → 3")));
    ASSERT_TRUE(steps.rows[2].first);
    EXPECT_EQ(steps.rows[2].first->instruction, core::InstructionId(5));
    EXPECT_TRUE(steps.rows[3].texts[1].isEmpty());
    EXPECT_EQ(steps.rows[4].kind, AlignedRow::Kind::Step) << "two are not worth folding";
}

TEST(AlignedStepsTest, ArrowsLeadBetweenRowsOfTheirSide) {
    visualizers::LinksByMethod before{{"forward", {{0, 1}, {4, 5}, {5, 6}, {6, 7}, {99, 100}}}};
    visualizers::LinksByMethod after{{"forward", {{4, 5}, {5, 6}, {6, 7}}}};
    const AlignedSteps steps = AlignedSteps::of(madeUpDiff(), {std::move(before), std::move(after)});
    using Arrows = std::vector<AlignedSteps::Arrow>;
    EXPECT_EQ(steps.arrows[0], (Arrows{{0, 2}, {2, 3}, {3, 4}})) << "within what is folded there are none";
    EXPECT_EQ(steps.arrows[1], (Arrows{{0, 1}, {1, 2}, {2, 4}}));
}

TEST(AlignedStepsTest, GoFromDifferenceToDifference) {
    const AlignedSteps steps = AlignedSteps::of(madeUpDiff(), {});
    EXPECT_EQ(steps.difference(std::nullopt, 1), 1U);
    EXPECT_EQ(steps.difference(1, 1), 2U);
    EXPECT_EQ(steps.difference(3, 1), std::nullopt);
    EXPECT_EQ(steps.difference(std::nullopt, -1), 3U);
    EXPECT_EQ(AlignedSteps().difference(std::nullopt, 1), std::nullopt);
}

TEST(AlignedStepsTest, SeveralMethodsHaveTitles) {
    ProgramDiff diff = madeUpDiff();
    diff.methods.push_back({.name = "decode", .change = Change::Added});
    const AlignedSteps steps = AlignedSteps::of(diff, {});
    EXPECT_EQ(steps.rows.front().kind, AlignedRow::Kind::Method);
    EXPECT_EQ(steps.rows.back().texts[0], QString());
    EXPECT_EQ(steps.rows.back().texts[1], QStringLiteral("decode"));
}

}  // namespace

}  // namespace et::test

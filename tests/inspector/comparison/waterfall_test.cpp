// Tests of the breakdown of the difference between two totals.
#include "inspector/comparison/waterfall.h"

#include <gtest/gtest.h>

#include <deque>

namespace et::inspector {
namespace {

class WaterfallTest : public testing::Test {
  protected:
    void add(const char* name, OperatorKind kind, std::int32_t instruction, double a, double b,
             const char* module = "") {
        OperatorTimes& times = operators.emplace_back();
        times.name = name;
        times.kind = kind;
        times.chain = 0;
        times.instruction = core::InstructionId(instruction);
        times.module = module;
        ComparisonRow row;
        row.a = a > 0 ? &times : nullptr;
        row.b = b > 0 ? &times : nullptr;
        row.test.medianA = a;
        row.test.medianB = b;
        method.rows.push_back(row);
    }
    void total(double a, double b) {
        method.total.medianA = a;
        method.total.medianB = b;
    }
    [[nodiscard]] static double sum(const Waterfall& fall) {
        double all = fall.from;
        for (const WaterfallStep& step : fall.steps) {
            all += step.change;
        }
        return all;
    }

    std::deque<OperatorTimes> operators;
    MethodComparison method;
};

TEST_F(WaterfallTest, StepsLeadFromATotalToB) {
    total(1000, 1450);
    add("conv", OperatorKind::Kernel, 0, 500, 900, "features");
    add("relu", OperatorKind::Kernel, 1, 100, 100, "features");
    add("gelu", OperatorKind::Kernel, 2, 0, 80, "head");
    add("tanh", OperatorKind::Kernel, 3, 50, 0, "head");
    const Waterfall fall = makeWaterfall(method, WaterfallBy::Operator);
    ASSERT_EQ(fall.steps.size(), 4U) << "nothing for relu, which stays the same";
    EXPECT_EQ(fall.steps[0].name, "conv · features");
    EXPECT_EQ(fall.steps[0].change, 400);
    EXPECT_EQ(fall.steps[0].row, 0U);
    EXPECT_EQ(fall.steps[2].change, -50) << "removed";
    EXPECT_EQ(fall.steps[3].name, "between operators");
    EXPECT_EQ(fall.steps[3].change, 20);
    EXPECT_EQ(sum(fall), fall.to);
}

TEST_F(WaterfallTest, ModulesSumUpTheirOperators) {
    total(1000, 1000);
    add("conv", OperatorKind::Kernel, 0, 500, 900, "features");
    add("relu", OperatorKind::Kernel, 1, 200, 100, "features");
    add("view", OperatorKind::Kernel, 2, 100, 110);
    const Waterfall fall = makeWaterfall(method, WaterfallBy::Module);
    ASSERT_EQ(fall.steps.size(), 3U);
    EXPECT_EQ(fall.steps[0].name, "features");
    EXPECT_EQ(fall.steps[0].change, 300);
    EXPECT_EQ(fall.steps[0].count, 2U);
    EXPECT_EQ(fall.steps[0].row, 0U);
    EXPECT_EQ(fall.steps[1].name, "no module");
    EXPECT_EQ(sum(fall), fall.to);
}

TEST_F(WaterfallTest, OperatorsInsideACallCountOnce) {
    total(1000, 1300);
    add("XnnpackBackend", OperatorKind::DelegateCall, 4, 900, 1200);
    add("Conv #1", OperatorKind::DelegatedOperator, 4, 800, 1050);
    const Waterfall fall = makeWaterfall(method, WaterfallBy::Operator);
    ASSERT_EQ(fall.steps.size(), 2U);
    EXPECT_EQ(fall.steps[0].name, "Conv #1");
    EXPECT_EQ(fall.steps[0].change, 250);
    EXPECT_EQ(fall.steps[1].name, "XnnpackBackend");
    EXPECT_EQ(fall.steps[1].change, 50);
    EXPECT_EQ(sum(fall), fall.to);
}

TEST_F(WaterfallTest, MergesSmallSteps) {
    total(0, 60);
    for (std::int32_t i = 0; i < 20; ++i) {
        add("op", OperatorKind::Kernel, i, 100, 103);
    }
    const Waterfall fall = makeWaterfall(method, WaterfallBy::Operator, 5);
    ASSERT_EQ(fall.steps.size(), 6U);
    EXPECT_EQ(fall.steps[5].name, "others");
    EXPECT_EQ(fall.steps[5].count, 15U);
    EXPECT_EQ(fall.steps[5].change, 45);
    EXPECT_EQ(sum(fall), fall.to);
}

}  // namespace
}  // namespace et::inspector

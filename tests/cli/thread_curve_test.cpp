#include "app/tasks/compare/thread_curve.h"

#include "app/output/run/bench_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::cli {
namespace {

using inspector::Measurement;
using inspector::OperatorKind;
using testing::HasSubstr;

/// Two operators inside a delegate call, and one outside.
Measurement measured(std::size_t threads, double total, double scales, double stays, double kernel) {
    Measurement of;
    of.settings = inspector::RunSettings{.method = "forward", .threads = threads};
    const core::InstructionId call{0};
    of.methods = {{.method = "forward",
                   .total = {total, total, 9 * total},
                   .operators = {{.name = "Backend",
                                  .kind = OperatorKind::DelegateCall,
                                  .chain = 0,
                                  .instruction = call,
                                  .samples = {scales + stays}},
                                 {.name = "Product",
                                  .kind = OperatorKind::DelegatedOperator,
                                  .backend = "Backend",
                                  .chain = 0,
                                  .instruction = call,
                                  .samples = {scales}},
                                 {.name = "Add",
                                  .kind = OperatorKind::DelegatedOperator,
                                  .backend = "Backend",
                                  .chain = 0,
                                  .instruction = call,
                                  .samples = {stays, stays, 7 * stays}},
                                 {.name = "cat.out",
                                  .kind = OperatorKind::Kernel,
                                  .chain = 0,
                                  .instruction = core::InstructionId{1},
                                  .samples = {kernel}}}}};
    return of;
}

TEST(ThreadCurveTest, ReportsSpeedupPerThreadCount) {
    // The order is arbitrary; the third is between the others.
    const std::vector measurements{measured(4, 400, 250, 100, 20), measured(1, 1000, 800, 100, 80),
                                   measured(2, 600, 420, 100, 40)};
    const tasks::ThreadCurve curve = tasks::threadCurve("a.pte", measurements);
    ASSERT_EQ(curve.points.size(), 3U);
    EXPECT_EQ(curve.points[0].threads, 1U);
    EXPECT_EQ(curve.points[2].threads, 4U);
    EXPECT_DOUBLE_EQ(curve.points[2].speedup, 2.5);
    EXPECT_DOUBLE_EQ(curve.points[2].efficiency, 0.625);
    EXPECT_DOUBLE_EQ(curve.points[1].speedup, 1000.0 / 600);
}

TEST(ThreadCurveTest, NamesOperatorsThatDoNotScale) {
    const std::vector measurements{measured(1, 1000, 800, 100, 80), measured(4, 400, 250, 100, 20)};
    const tasks::ThreadCurve curve = tasks::threadCurve("a.pte", measurements);
    ASSERT_EQ(curve.notScaling.size(), 1U);
    EXPECT_EQ(curve.notScaling[0].name, "Add");
    EXPECT_EQ(curve.notScaling[0].medians, (std::vector<double>{100, 100}));
    EXPECT_DOUBLE_EQ(curve.notScaling[0].lost, 75);
    EXPECT_DOUBLE_EQ(curve.notScaling[0].share, 100.0 / 370);  // the call is counted by its operators
    const std::vector curves{curve};
    EXPECT_THAT(output::notScalingText(curves),
                HasSubstr("a.pte: these do not scale from 1 to 4 threads\n  Add: 0.1 µs"));
}

TEST(ThreadCurveTest, OneMeasurementIsNoCurve) {
    const tasks::ThreadCurve curve =
        tasks::threadCurve("a.pte", std::vector{measured(2, 1000, 800, 100, 80)});
    ASSERT_EQ(curve.points.size(), 1U);
    EXPECT_DOUBLE_EQ(curve.points[0].speedup, 1);
    EXPECT_TRUE(curve.notScaling.empty());
    EXPECT_TRUE(tasks::threadCurve("a.pte", {}).points.empty());
}

}  // namespace
}  // namespace et::cli

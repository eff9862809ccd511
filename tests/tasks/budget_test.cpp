#include "app/tasks/compare/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace et::tasks {
namespace {

using inspector::Comparison;
using inspector::Measurement;
using inspector::MethodTimes;
using testing::HasSubstr;

/// Measurement of a program whose runs took 1, 2, … 9 ms.
Measurement measured() {
    MethodTimes forward{.method = "forward"};
    for (int i = 1; i <= 9; ++i) {
        forward.total.push_back(i * 1e6);
    }
    forward.operators.push_back({.name = "add.out", .samples = forward.total});
    return {.name = "b.pte",
            .source = inspector::MeasurementSource::Program,
            .methods = {forward},
            .settings = inspector::RunSettings{.loadNanoseconds = 2'000'000, .peakBytes = 64'000'000},
            .program = inspector::ProgramIdentity{.bytes = 4'000'000, .plannedBytes = 1024}};
}

std::shared_ptr<const Comparison> compared(Measurement side) {
    const auto both = std::make_shared<const Measurement>(std::move(side));
    return inspector::compareMeasurements(both, both).value();
}

std::vector<BudgetCheck> check(const std::string& text, const Comparison& comparison) {
    const auto budget = parseBudget(text);
    EXPECT_TRUE(budget) << budget.error().toString();
    const auto checks = checkBudgets(std::vector{*budget}, comparison);
    EXPECT_TRUE(checks) << checks.error().toString();
    return checks.value_or(std::vector<BudgetCheck>());
}

std::string refused(const std::string& text) {
    const auto budget = parseBudget(text);
    return budget ? "" : budget.error().message;
}

TEST(BudgetTest, LimitsHaveUnits) {
    EXPECT_EQ(parseBudget("p50>5ms")->limit, 5e6);
    EXPECT_EQ(parseBudget("max >= 1.5 s")->limit, 1.5e9);
    EXPECT_EQ(parseBudget("p90>250us")->limit, 250e3);
    EXPECT_EQ(parseBudget("p90>250µs")->limit, 250e3);
    EXPECT_EQ(parseBudget("size>4MB")->limit, 4e6);
    EXPECT_EQ(parseBudget("size>4MiB")->limit, 4194304);
    EXPECT_EQ(parseBudget("size>4096")->limit, 4096);
    EXPECT_EQ(parseBudget("sqnr<40")->limit, 40);
    EXPECT_EQ(parseBudget("sqnr<40dB")->limit, 40);
    EXPECT_EQ(parseBudget("max_abs>1e-3")->limit, 1e-3);
}

TEST(BudgetTest, RejectsInvalidTexts) {
    EXPECT_THAT(refused("p50"), HasSubstr("expected a condition such as p50>5ms"));
    EXPECT_THAT(refused("speed>3"), HasSubstr("of min, p50"));
    EXPECT_THAT(refused("p50=3ms"), HasSubstr("expected a condition"));
    EXPECT_THAT(refused("p50>5"), HasSubstr("a unit for p50 (ns, us, ms, s)"));
    EXPECT_THAT(refused("p50>5MB"), HasSubstr("a unit for p50"));
    EXPECT_THAT(refused("ratio>5%"), HasSubstr("no unit for ratio"));
    EXPECT_THAT(refused("size>big"), HasSubstr("a number after the relation"));
    EXPECT_THAT(refused("size>inf"), HasSubstr("a number after the relation"));
    EXPECT_THAT(refused(""), HasSubstr("expected a condition"));
}

TEST(BudgetTest, BreaksBeyondTheLimit) {
    const auto comparison = compared(measured());
    for (const auto& [text, broken] : std::vector<std::pair<std::string, bool>>{{"p50>5ms", false},
                                                                                {"p50>=5ms", true},
                                                                                {"p50>4.9ms", true},
                                                                                {"min<1ms", false},
                                                                                {"min<=1ms", true},
                                                                                {"max>8ms", true},
                                                                                {"mean>5.1ms", false},
                                                                                {"p95>8.61ms", false},
                                                                                {"p95>8.59ms", true},
                                                                                {"p99>8.93ms", false},
                                                                                {"p99>8.91ms", true},
                                                                                {"ratio>1", false},
                                                                                {"load>1ms", true},
                                                                                {"size>4MB", false},
                                                                                {"size>=4MB", true},
                                                                                {"plan>1KiB", false},
                                                                                {"peak>60MB", true}}) {
        const auto checks = check(text, *comparison);
        ASSERT_EQ(checks.size(), 1U) << text;
        EXPECT_EQ(checks.front().broken, broken) << text;
    }
    EXPECT_EQ(budgetLine(check("p50>=5ms", *comparison).front()),
              "forward: p50 is 5.000 ms (fails if p50>=5ms)");
}

TEST(BudgetTest, MissingValueIsAnError) {
    Measurement trace{.name = "b.etdp", .methods = measured().methods};
    const auto comparison = compared(trace);
    for (const char* const text : {"size>4MB", "peak>1MB", "load>1s", "sqnr<40"}) {
        const auto checks = checkBudgets(std::vector{*parseBudget(text)}, *comparison);
        ASSERT_FALSE(checks) << text;
        EXPECT_THAT(checks.error().message, HasSubstr("b.etdp is a trace, which does not report"));
    }
    trace.cycles = true;
    EXPECT_FALSE(checkBudgets(std::vector{*parseBudget("p50>1ms")}, *compared(trace)));
}

}  // namespace
}  // namespace et::tasks

#include "inspector/comparison/launch_plan.h"

#include "inspector/comparison/comparison.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace et::inspector {
namespace {

using test::MadeUpSamples;
using test::millisecond;

struct Cost {
    double start = 0;
    double run = 0;
};

/// Launches of two equal programs.
std::vector<LaunchRecord> launches(std::size_t count, double between, double within, Cost cost,
                                   double ratio = 1) {
    MadeUpSamples made(31);
    std::vector<LaunchRecord> records;
    constexpr std::size_t runs = 12;
    for (std::size_t i = 0; i < count; ++i) {
        const double a = millisecond * std::exp(between * made.normal());
        const double b = ratio * millisecond * std::exp(between * made.normal());
        records.push_back({.a = made.noisy(runs, a, within),
                           .b = made.noisy(runs, b, within),
                           .startSeconds = cost.start,
                           .runSeconds = cost.run * runs});
    }
    return records;
}

// sqrt(cost of a launch / cost of a run) times the ratio of the spreads.
TEST(LaunchPlan, ExpensiveLaunchesAndNoisyRunsFavourMoreRuns) {
    const std::size_t usual = runsPerLaunch(launches(3, 0.01, 0.02, {.start = 0.01, .run = 0.001}), {});
    const std::size_t dear = runsPerLaunch(launches(3, 0.01, 0.02, {.start = 0.04, .run = 0.001}), {});
    const std::size_t quiet = runsPerLaunch(launches(3, 0.01, 0.002, {.start = 0.01, .run = 0.001}), {});
    EXPECT_GE(usual, 3U);
    EXPECT_GE(dear, 2 * usual - 1);
    EXPECT_LE(dear, 2 * usual + 1);
    EXPECT_LT(quiet, usual);
    EXPECT_EQ(quiet, 3U);
}

TEST(LaunchPlan, NeverTakesMoreThanHalfOfTheTime) {
    const auto slow = launches(3, 0.001, 0.1, {.start = 0.5, .run = 0.25});
    const LaunchLimits limits{.seconds = 24};
    const std::size_t runs = runsPerLaunch(slow, limits);
    EXPECT_EQ(runs, 2U);  // 12 launches of 1 s leave half a second for runs
    EXPECT_EQ(runsPerLaunch(launches(3, 0.001, 0.1, {.start = 5, .run = 2}), limits), 1U);
    EXPECT_GE(runsPerLaunch({}, limits), 1U);
}

TEST(LaunchPlan, GoesOnUntilTheErrorIsSmall) {
    EXPECT_FALSE(enoughLaunches(launches(11, 0.001, 0.001, {}), {}));
    EXPECT_TRUE(enoughLaunches(launches(12, 0.001, 0.001, {}), {}));
    EXPECT_FALSE(enoughLaunches(launches(12, 0.05, 0.001, {}), {}));
    EXPECT_TRUE(enoughLaunches(launches(12, 0.001, 0.001, {}, 1.5), {})) << "a clear change is no noise";
}

// The plan must not depend on which side is slower.
TEST(LaunchPlan, IsTheSameForSwappedSides) {
    const auto records = launches(14, 0.006, 0.01, {.start = 0.01, .run = 0.001}, 1.02);
    auto swapped = records;
    for (std::size_t i = 0; i < swapped.size(); i += 2) {
        std::swap(swapped[i].a, swapped[i].b);
    }
    for (std::size_t count = 1; count <= records.size(); ++count) {
        const std::span first(records.data(), count);
        const std::span other(swapped.data(), count);
        EXPECT_EQ(enoughLaunches(first, {}), enoughLaunches(other, {}));
        EXPECT_EQ(runsPerLaunch(first, {}), runsPerLaunch(other, {}));
    }
}

Measurement launchOf(std::vector<std::pair<const char*, std::vector<double>>> operators) {
    MethodTimes method{.method = "forward", .total = {100, 200}};
    for (auto& [name, samples] : operators) {
        method.operators.push_back({.name = name, .samples = std::move(samples)});
    }
    return {.name = "m", .methods = {std::move(method)}};
}

TEST(JoinedLaunches, KeepTheLaunchOfEachSample) {
    const std::array parts{launchOf({{"add", {1, 2}}, {"add", {3, 4}}}),
                           launchOf({{"add", {5, 6}}, {"mul", {7, 8}}}),
                           launchOf({{"add", {9, 10}}, {"add", {11}}})};
    const MethodTimes joined = joinLaunches(parts).methods.front();
    EXPECT_EQ(joined.total, (std::vector<double>{100, 200, 100, 200, 100, 200}));
    EXPECT_EQ(joined.launches, (std::vector<std::size_t>{2, 2, 2}));
    ASSERT_EQ(joined.operators.size(), 3U);
    EXPECT_EQ(joined.operators[0].samples, (std::vector<double>{1, 2, 5, 6, 9, 10}));
    EXPECT_EQ(joined.operators[1].launches, (std::vector<std::size_t>{2, 0, 1}));
    EXPECT_EQ(joined.operators[1].samples, (std::vector<double>{3, 4, 11}));
    EXPECT_EQ(joined.operators[2].name, "mul");
    EXPECT_EQ(joined.operators[2].launches, (std::vector<std::size_t>{0, 2, 0}));
}

/// A program measured in several launches.
Measurement program(const char* name, std::uint64_t seed, double ratio, const OtherLoad& load,
                    double between = 0.003) {
    MadeUpSamples made(seed);
    std::vector<Measurement> parts;
    for (std::size_t launch = 0; launch < 12; ++launch) {
        const double level = millisecond * std::exp(between * made.normal());
        MethodTimes method{.method = "forward", .total = made.noisy(10, ratio * level, 0.002)};
        method.operators.push_back({.name = "conv", .samples = made.noisy(10, ratio * level * 0.9, 0.002)});
        parts.push_back({.name = name, .methods = {std::move(method)}});
    }
    Measurement joined = joinLaunches(parts);
    joined.otherLoad = load;
    return joined;
}

std::shared_ptr<const Comparison> comparedLaunches(Measurement a, Measurement b) {
    auto made = compareMeasurements(std::make_shared<Measurement>(std::move(a)),
                                    std::make_shared<Measurement>(std::move(b)), {.interleaved = true});
    EXPECT_TRUE(made);
    return made ? *made : nullptr;
}

TEST(ComparedLaunches, AreUsedForVerdicts) {
    const auto result = comparedLaunches(program("a", 1, 1, {}), program("b", 2, 1.05, {}));
    EXPECT_TRUE(result->betweenLaunches());
    const MethodComparison& method = result->methods.front();
    EXPECT_EQ(method.total.launches, 12U);
    EXPECT_EQ(method.total.countA, 120U);
    EXPECT_EQ(method.total.verdict, TimeVerdict::Slower);
    EXPECT_EQ(method.rows.front().test.verdict, TimeVerdict::Slower);
    EXPECT_NEAR(*method.total.ratio, 1.05, 0.01);
}

TEST(ComparedLaunches, OtherLoadMakesThemTooNoisy) {
    const auto reason = [](const OtherLoad& load) {
        return comparedLaunches(program("a", 3, 1, load, 0.1), program("b", 4, 1, load, 0.1))
            ->methods.front()
            .total.reason;
    };
    EXPECT_EQ(reason({.waiting = 0.01}), UndecidedReason::LaunchNoise);
    EXPECT_EQ(reason({.waiting = 0.3}), UndecidedReason::OtherLoad);
    EXPECT_EQ(reason({.stolen = 0.1}), UndecidedReason::OtherLoad);
}

TEST(ComparedLaunches, OneLaunchIsNotCalledMore) {
    const MethodTimes method{.method = "forward", .total = {1, 2, 3, 4, 5, 6}};
    const Measurement single{.name = "t", .methods = {method}};
    EXPECT_FALSE(comparedLaunches(single, single)->betweenLaunches());
    EXPECT_EQ(comparedLaunches(single, single)->methods.front().total.launches, 0U);
}

}  // namespace
}  // namespace et::inspector

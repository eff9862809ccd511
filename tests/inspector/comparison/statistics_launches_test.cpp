#include "inspector/comparison/statistics_launches.h"

#include "inspector/comparison/statistics_signs.h"
#include "inspector/comparison/statistics_student.h"
#include "tests/inspector/comparison/made_up_launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

// Tests the false and true positive rates when launches vary more than their runs.
namespace et::inspector {
namespace {

using test::LaunchNoise;
using test::MadeUpLaunches;
using test::MadeUpSamples;

constexpr LaunchNoise launchNoises[] = {
    {.name = "steady", .between = 0.005, .within = 0.005},
    {.name = "launches_differ", .between = 0.03, .within = 0.005},
    {.name = "processes_differ", .between = 0.002, .process = 0.03, .within = 0.005},
    {.name = "skewed", .between = 0.01, .within = 0.05, .skewed = true},
    {.name = "disturbed", .between = 0.01, .within = 0.05, .outliers = 0.2},
};

class EqualLaunches : public testing::TestWithParam<LaunchNoise> {};

bool isCalled(TimeVerdict verdict) {
    return verdict == TimeVerdict::Slower || verdict == TimeVerdict::Faster;
}

const TestOptions atThreshold0{.threshold = 0, .resamples = 300};

// The rate is 2.5 % by construction, 7.5 of 300; more than 17 have a probability of 0.1 %.
TEST_P(EqualLaunches, KeepTheStatedRateAtThreshold0) {
    for (const std::size_t launches : {7U, 12U, 20U}) {
        MadeUpSamples made(21 + launches);
        std::size_t alarms = 0;
        for (std::size_t i = 0; i < 300; ++i) {
            const MadeUpLaunches equals(made, GetParam(), {.launches = launches, .runs = 8});
            alarms +=
                isCalled(testLaunches(equals.family, FamilyKind::Independent, atThreshold0).front().verdict)
                    ? 1
                    : 0;
        }
        EXPECT_LE(alarms, 17U) << launches << " launches";
    }
}

TEST_P(EqualLaunches, KeepTheRateOverAllOperatorsOfAProcess) {
    MadeUpSamples made(22);
    std::size_t families = 0;
    for (std::size_t i = 0; i < 150; ++i) {
        const MadeUpLaunches equals(made, GetParam(), {.operators = 30, .launches = 10, .runs = 6});
        const auto tests = testLaunches(equals.family, FamilyKind::Process, atThreshold0);
        families += std::ranges::any_of(tests, isCalled, &TimeTest::verdict) ? 1 : 0;
    }
    // 2.5 % of 150 are 3.75; more than 10 have a probability of 0.2 %.
    EXPECT_LE(families, 10U);
}

TEST_P(EqualLaunches, IntervalsContainTheTrueValue) {
    MadeUpSamples made(23);
    std::size_t held = 0;
    for (std::size_t i = 0; i < 300; ++i) {
        const MadeUpLaunches changed(made, GetParam(), {.launches = 12, .runs = 8}, {1.1});
        const auto test = testLaunches(changed.family, FamilyKind::Independent, {.resamples = 300}).front();
        held += test.ratioInterval->contains(1.1) ? 1 : 0;
    }
    EXPECT_GE(held, 274U);  // 285 expected; fewer have a probability of 0.1 %
}

INSTANTIATE_TEST_SUITE_P(Launches, EqualLaunches, testing::ValuesIn(launchNoises),
                         [](const auto& each) { return std::string(each.param.name); });

/// Number found in 100 comparisons.
std::size_t foundSlower(const LaunchNoise& noise, double ratio, std::size_t launches) {
    MadeUpSamples made(24);
    std::size_t found = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        const MadeUpLaunches changed(made, noise, {.launches = launches}, {ratio});
        const auto test = testLaunches(changed.family, FamilyKind::Independent, {.resamples = 300}).front();
        found += test.verdict == TimeVerdict::Slower ? 1 : 0;
    }
    return found;
}

TEST(Launches, FindThreePercentAtAThresholdOfTwo) {
    EXPECT_GE(foundSlower({.between = 0.01, .within = 0.03}, 1.03, 16), 95U);
    EXPECT_GE(foundSlower({.between = 0.012, .within = 0.05, .outliers = 0.05}, 1.03, 24), 80U);
}

TEST(Launches, OneSlowOperatorIsTheOnlyOne) {
    MadeUpSamples made(25);
    const LaunchNoise noise{.between = 0.005, .process = 0.02, .within = 0.01};
    std::size_t others = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        const MadeUpLaunches changed(made, noise, {.operators = 40}, {1, 1, 1.1});
        const auto tests = testLaunches(changed.family, FamilyKind::Process, {.resamples = 300});
        EXPECT_EQ(tests[2].verdict, TimeVerdict::Slower) << i;
        EXPECT_NEAR(*tests[2].ratio, 1.1, 0.02);
        others += static_cast<std::size_t>(std::ranges::count_if(tests, isCalled, &TimeTest::verdict)) - 1;
    }
    EXPECT_LE(others, 2U);
}

// A process that is slow by chance does not make its operators slower; a slower program makes all of them
// slower.
TEST(Launches, OperatorEffectsShrinkTowardTheProcessEffect) {
    MadeUpSamples made(26);
    const LaunchNoise noise{.between = 0.002, .process = 0.05, .within = 0.005};
    const MadeUpLaunches equals(made, noise, {.operators = 20});
    for (const TimeTest& each : testLaunches(equals.family, FamilyKind::Process, {.resamples = 300})) {
        EXPECT_NEAR(*each.ratio, 1, 0.02);
        EXPECT_FALSE(isCalled(each.verdict));
    }
    const MadeUpLaunches slower(made, noise, {.operators = 20}, std::vector<double>(20, 1.5));
    for (const TimeTest& each : testLaunches(slower.family, FamilyKind::Process, {.resamples = 300})) {
        EXPECT_NEAR(*each.ratio, 1.5, 0.08);
        EXPECT_EQ(each.verdict, TimeVerdict::Slower);
    }
}

TEST(Launches, SwappingSidesInvertsTheVerdict) {
    MadeUpSamples made(27);
    const MadeUpLaunches changed(made, {}, {}, {1.1});
    LaunchSamples swapped = changed.family.front();
    std::swap(swapped.a, swapped.b);
    const auto test = testLaunches(changed.family, FamilyKind::Independent, {}).front();
    const auto other = testLaunches(std::span(&swapped, 1), FamilyKind::Independent, {}).front();
    EXPECT_EQ(test.verdict, TimeVerdict::Slower);
    EXPECT_EQ(other.verdict, TimeVerdict::Faster);
    EXPECT_NEAR(*test.ratio * *other.ratio, 1, 1e-12);
    EXPECT_EQ(test.slowerProbability, other.fasterProbability);
}

TEST(Launches, TooFewLaunchesAreUndecided) {
    MadeUpSamples made(28);
    const MadeUpLaunches few(made, {.between = 0.001, .within = 0.001}, {.launches = 6}, {2.0});
    const auto test = testLaunches(few.family, FamilyKind::Independent, {}).front();
    EXPECT_EQ(test.verdict, TimeVerdict::Undecided);
    EXPECT_EQ(test.reason, UndecidedReason::TooFewLaunches);
    EXPECT_EQ(test.launchesToDecide, minLaunches);
    const LaunchSamples nothing{.a = {{}, {}}, .b = {{}, {}}};
    EXPECT_EQ(testLaunches(std::span(&nothing, 1), FamilyKind::Process, {}).front().launches, 0U);
}

TEST(Launches, EstimatesLaunchesNeededToDecide) {
    MadeUpSamples made(29);
    const MadeUpLaunches noisy(made, {.between = 0.1}, {}, {1.0});
    const auto test = testLaunches(noisy.family, FamilyKind::Independent, {}).front();
    EXPECT_EQ(test.verdict, TimeVerdict::Undecided);
    EXPECT_TRUE(test.reason == UndecidedReason::LaunchNoise || test.reason == UndecidedReason::AtThreshold);
    EXPECT_TRUE(!test.launchesToDecide || *test.launchesToDecide > test.launches);
}

TEST(Launches, EqualTimesAreTheSame) {
    const std::vector<double> runs(5, 1000.0);
    const LaunchSamples same{.a = {8, runs}, .b = {8, runs}};
    const auto test = testLaunches(std::span(&same, 1), FamilyKind::Independent, {}).front();
    EXPECT_EQ(test.verdict, TimeVerdict::Same);
    EXPECT_EQ(test.ratio, 1);
}

// Whole microseconds: times of two or three are too coarse, and so is a difference of one.
TEST(Launches, DifferencesBelowClockResolutionAreNotCalled) {
    const std::vector<double> one(5, 1000.0);
    const std::vector<double> two(5, 2000.0);
    const std::vector<double> twenty(5, 20'000.0);
    const std::vector<double> more(5, 21'000.0);
    const std::vector<double> many(5, 23'000.0);
    const auto verdict = [](const std::vector<double>& a, const std::vector<double>& b) {
        const LaunchSamples samples{.a = {12, a}, .b = {12, b}, .resolution = 1000};
        return testLaunches(std::span(&samples, 1), FamilyKind::Independent, {}).front();
    };
    EXPECT_EQ(verdict(one, two).reason, UndecidedReason::TooShort);
    EXPECT_EQ(verdict(twenty, more).verdict, TimeVerdict::Undecided);
    EXPECT_EQ(verdict(twenty, many).verdict, TimeVerdict::Slower);
    const std::array<std::span<const double>, 2> both{std::span<const double>(one), {}};
    EXPECT_EQ(clockResolution(both), 0);
    const std::vector<double> mixed{5000, 9000, 7000, 5000};
    const std::span<const double> view = mixed;
    EXPECT_EQ(clockResolution(std::span(&view, 1)), 2000);
}

TEST(Launches, UsesTheFasterHalfOfEachLaunch) {
    EXPECT_EQ(fasterHalf(std::vector<double>{9, 1, 3, 100}), 2);
    EXPECT_EQ(fasterHalf(std::vector<double>{5, 1, 3}), 2);
    EXPECT_EQ(fasterHalf(std::vector<double>{7}), 7);
    EXPECT_EQ(fasterHalf({}), 0);
}

// A launch without an operator is ignored for that operator.
TEST(Launches, MissingOnesAreLeftOut) {
    MadeUpSamples made(30);
    const MadeUpLaunches changed(made, {.between = 0.002, .within = 0.002}, {}, {1.2});
    LaunchSamples holes = changed.family.front();
    holes.a[0] = {};
    holes.b[5] = {};
    const auto test = testLaunches(std::span(&holes, 1), FamilyKind::Independent, {}).front();
    EXPECT_EQ(test.launches, 10U);
    EXPECT_EQ(test.verdict, TimeVerdict::Slower);
}

// Six equal differences: of the 32 sign assignments (the first one fixed), one is as extreme.
TEST(Signs, ProbabilitiesAreCounted) {
    const SignedEffects all{.own = std::vector<double>(6, 0.1), .present = std::vector<double>(6, 1.0)};
    const std::vector<double> none(6, 0.0);
    EXPECT_DOUBLE_EQ(signProbabilities(std::span(&all, 1), none, 0).front(), 1.0 / 32);
    const SignedEffects zero{.own = none, .present = all.present};
    EXPECT_DOUBLE_EQ(signProbabilities(std::span(&zero, 1), none, 0).front(), 1);
    const std::array family{all, zero};
    const auto both = signProbabilities(family, none, 0);
    EXPECT_DOUBLE_EQ(both[0], 1.0 / 32);
    EXPECT_DOUBLE_EQ(both[1], 1);
}

TEST(Student, IsThatOfTheTables) {
    EXPECT_NEAR(studentMargin(0.95, 11), 2.201, 0.01);
    EXPECT_NEAR(studentMargin(0.99, 6), 3.707, 0.05);
    EXPECT_NEAR(studentTail(2.201, 11), 0.025, 0.0005);
    EXPECT_NEAR(studentTail(0, 5), 0.5, 1e-12);
    EXPECT_NEAR(studentTail(-2.201, 11), 0.975, 0.0005);
}

}  // namespace
}  // namespace et::inspector

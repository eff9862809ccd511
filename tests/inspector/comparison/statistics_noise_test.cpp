#include "inspector/comparison/statistics.h"
#include "inspector/comparison/statistics_ranks.h"
#include "inspector/comparison/statistics_resampling.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

// Tests the false positive rate stated in docs/explanation/verdicts.md.
namespace et::inspector {
namespace {

using test::MadeUpSamples;

using test::millisecond;

struct Noise {
    const char* name;
    double (*sample)(MadeUpSamples& made, std::size_t i);
};
std::ostream& operator<<(std::ostream& out, const Noise& noise) {
    return out << noise.name;
}

double steady(MadeUpSamples& made, std::size_t) {
    return millisecond * (1 + 0.01 * made.normal());
}
/// Realistic distribution of times: a floor and a long tail.
double skewed(MadeUpSamples& made, std::size_t) {
    return millisecond * (1 + 0.05 * std::exp(made.normal()));
}
double withOutliers(MadeUpSamples& made, std::size_t) {
    return millisecond * (1 + 0.01 * made.normal()) * (made.uniform() < 0.1 ? 1 + 5 * made.uniform() : 1);
}
/// Two CPU speeds, alternating at random.
double twoModes(MadeUpSamples& made, std::size_t) {
    return millisecond * (made.uniform() < 0.5 ? 1.0 : 1.2) * (1 + 0.01 * made.normal());
}
double wholeMicroseconds(MadeUpSamples& made, std::size_t) {
    constexpr double microsecond = 1000;
    return microsecond * std::floor(7 + 2 * made.uniform());
}

constexpr Noise noises[] = {{"steady", steady},
                            {"skewed", skewed},
                            {"with_outliers", withOutliers},
                            {"two_modes", twoModes},
                            {"whole_microseconds", wholeMicroseconds}};

class EqualThings : public testing::TestWithParam<Noise> {};

bool isDifference(TimeVerdict verdict) {
    return verdict == TimeVerdict::Slower || verdict == TimeVerdict::Faster;
}

TEST_P(EqualThings, AreReportedAsEqual) {
    MadeUpSamples made(11);
    std::size_t alarms = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const auto a = made.make(50, GetParam().sample);
        const auto b = made.make(50, GetParam().sample);
        alarms += isDifference(testTimes(a, b).verdict) ? 1 : 0;
    }
    EXPECT_LE(alarms, 200 * 0.05);
}

// Without a threshold the rate depends on the statistics alone. 5 % of 400 are 20; more than 33 have a
// probability below 0.2 %.
TEST_P(EqualThings, KeepTheStatedRateAtThresholdZero) {
    for (const std::size_t count : {5U, 10U, 25U, 60U}) {
        MadeUpSamples made(12 + count);
        std::size_t alarms = 0;
        for (std::size_t i = 0; i < 400; ++i) {
            const auto a = made.make(count, GetParam().sample);
            const auto b = made.make(count, GetParam().sample);
            alarms += isDifference(testTimes(a, b, {.threshold = 0, .resamples = 500}).verdict) ? 1 : 0;
        }
        EXPECT_LE(alarms, 33U) << count << " samples";
    }
}

TEST_P(EqualThings, KeepTheRateOverAFamilyOfOperators) {
    std::size_t families = 0;
    MadeUpSamples made(13);
    for (std::size_t i = 0; i < 60; ++i) {
        std::vector<std::vector<double>> samples;
        for (std::size_t at = 0; at < 80; ++at) {
            samples.push_back(made.make(30, GetParam().sample));
        }
        std::vector<SamplePair> family;
        for (std::size_t at = 0; at < samples.size(); at += 2) {
            family.push_back({.a = samples[at], .b = samples[at + 1]});
        }
        const std::vector<TimeTest> tests = testTimes(family, {.threshold = 0, .resamples = 500});
        families += std::ranges::any_of(tests, isDifference, &TimeTest::verdict) ? 1 : 0;
    }
    // 5 % of 60 are 3; more than 9 have a probability of 0.1 %.
    EXPECT_LE(families, 9U);
}

INSTANTIATE_TEST_SUITE_P(Statistics, EqualThings, testing::ValuesIn(noises),
                         [](const auto& each) { return std::string(each.param.name); });

/// Autocorrelated times: the speed of the machine drifts.
std::vector<double> wandering(MadeUpSamples& made, std::size_t count) {
    double level = 0;
    return made.make(count, [&](MadeUpSamples& each, std::size_t) {
        level = 0.8 * level + 0.6 * each.normal();
        return millisecond * (1 + 0.02 * level);
    });
}

TEST(Drift, DoesNotMakeEqualSidesDiffer) {
    MadeUpSamples made(14);
    std::size_t alarms = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const auto a = wandering(made, 60);
        const auto b = wandering(made, 60);
        alarms += isDifference(testTimes(a, b).verdict) ? 1 : 0;
    }
    EXPECT_LE(alarms, 10U);
}

TEST(Intervals, ReachTheirNominalCoverage) {
    MadeUpSamples made(15);
    std::size_t held = 0;
    for (std::size_t i = 0; i < 400; ++i) {
        const auto a = made.noisy(50, millisecond, 0.02);
        const auto b = made.noisy(50, 1.1 * millisecond, 0.02);
        held += testTimes(a, b, {.resamples = 500}).ratioInterval->contains(1.1) ? 1 : 0;
    }
    EXPECT_GE(held, 365U);  // 380 expected; fewer have a probability below 0.1 %
    EXPECT_LE(held, 398U);
}

TEST(Resampling, BlocksAreForNeighboursThatDepend) {
    MadeUpSamples made(16);
    EXPECT_EQ(blockLength(made.noisy(100, 1, 0.1)), 1U);
    EXPECT_GT(blockLength(wandering(made, 100)), 2U);
    std::vector<double> rising(100);
    for (std::size_t i = 0; i < rising.size(); ++i) {
        rising[i] = static_cast<double>(i);
    }
    EXPECT_EQ(blockLength(rising), 16U);  // a power of two, at most a quarter
    EXPECT_EQ(blockLength(std::vector<double>(100, 1.0)), 1U);
}

// Compares with medians of resamples computed directly.
TEST(Resampling, MediansAreThoseOfTheResamples) {
    const std::vector<double> samples{5, 1, 4};
    const ResamplePlan plan(3, 1, 20'000, 1);
    const std::vector<double> medians = plan.medians(samples);
    std::size_t lowest = 0;
    for (const double each : medians) {
        ASSERT_TRUE(each == 1 || each == 4 || each == 5);
        lowest += each == 1 ? 1 : 0;
    }
    // Probability that two or three of three draws are the lowest: 3 (1/3)^2 (2/3) + (1/3)^3 = 7/27.
    EXPECT_NEAR(static_cast<double>(lowest) / 20'000, 7.0 / 27, 0.015);
}

TEST(Resampling, EvenCountsTakeTheMiddleOfTwo) {
    const std::vector<double> samples{10, 20};
    std::size_t between = 0;
    for (const double each : ResamplePlan(2, 1, 10'000, 2).medians(samples)) {
        between += each == 15 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(between) / 10'000, 0.5, 0.03);
}

// Exact values by counting: of the 252 ways to choose 5 of 10 positions, 1 has all 5 above; of 2^6 sign
// assignments, 1 is all positive.
TEST(Ranks, ProbabilitiesAreNearTheExactOnes) {
    const std::vector<double> low{1, 2, 3, 4, 5};
    const std::vector<double> high{6, 7, 8, 9, 10};
    EXPECT_NEAR(aboveByChance(high, low), 1.0 / 252, 0.003);
    EXPECT_NEAR(aboveByChance(low, high), 1, 0.01);
    EXPECT_NEAR(aboveByChance(low, low), 0.5, 0.1);
    EXPECT_EQ(aboveByChance(std::vector<double>(5, 1.0), std::vector<double>(5, 1.0)), 1);
    EXPECT_NEAR(positiveByChance(std::vector<double>{1, 2, 3, 4, 5, 6}), 1.0 / 64, 0.004);
    EXPECT_EQ(positiveByChance(std::vector<double>(6, 0.0)), 1);
}

TEST(Ranks, TiesShareTheirPlaces) {
    EXPECT_EQ(ranks(std::vector<double>{30, 10, 20, 10}), (std::vector<double>{3, 0.5, 2, 0.5}));
}

}  // namespace
}  // namespace et::inspector

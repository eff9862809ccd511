#include "inspector/comparison/statistics.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <gtest/gtest.h>

#include <vector>

namespace et::inspector {
namespace {

using test::MadeUpSamples;

using test::millisecond;

// With medians of 50 and a noise of 1 %, the difference has a standard error of 0.25 %: a slowdown of 3 % is
// 8 standard errors from a threshold of 1 %, and 4 from the default of 2 %.
TEST(TimeTest, FindsAPlantedSlowdown) {
    std::size_t atTheUsualThreshold = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        MadeUpSamples made(seed);
        const auto a = made.noisy(50, millisecond, 0.01);
        const auto b = made.noisy(50, 1.03 * millisecond, 0.01);
        const TimeTest found = testTimes(a, b, {.threshold = 0.01});
        EXPECT_EQ(found.verdict, TimeVerdict::Slower) << "seed " << seed;
        EXPECT_EQ(testTimes(b, a, {.threshold = 0.01}).verdict, TimeVerdict::Faster) << "seed " << seed;
        ASSERT_TRUE(found.ratio && found.ratioInterval);
        EXPECT_TRUE(found.ratioInterval->contains(*found.ratio));
        atTheUsualThreshold += testTimes(a, b).verdict == TimeVerdict::Slower ? 1 : 0;
    }
    EXPECT_GE(atTheUsualThreshold, 40U);  // about 93 % of 50; fewer have a probability below 0.1 %
}

TEST(TimeTest, FindsItAmongManyOperators) {
    MadeUpSamples made(7);
    std::vector<std::vector<double>> samples;
    std::vector<SamplePair> family;
    constexpr std::size_t operators = 200;
    constexpr std::size_t planted = 123;
    for (std::size_t i = 0; i < operators; ++i) {
        samples.push_back(made.noisy(50, millisecond, 0.01));
        samples.push_back(made.noisy(50, (i == planted ? 1.05 : 1.0) * millisecond, 0.01));
    }
    for (std::size_t i = 0; i < operators; ++i) {
        family.push_back({.a = samples[2 * i], .b = samples[2 * i + 1]});
    }
    const std::vector<TimeTest> tests = testTimes(family, {});
    for (std::size_t i = 0; i < operators; ++i) {
        EXPECT_EQ(tests[i].verdict, i == planted ? TimeVerdict::Slower : TimeVerdict::Same) << i;
    }
}

TEST(TimeTest, ChangesBelowTheThresholdAreEqual) {
    MadeUpSamples made(1);
    const auto a = made.noisy(200, millisecond, 0.01);
    const auto b = made.noisy(200, 1.01 * millisecond, 0.01);
    EXPECT_EQ(testTimes(a, b, {.threshold = 0.02}).verdict, TimeVerdict::Same);
    EXPECT_EQ(testTimes(a, b, {.threshold = 0.002}).verdict, TimeVerdict::Slower);
}

TEST(TimeTest, NoiseThatHidesTheAnswerIsUndecided) {
    MadeUpSamples made(2);
    const auto a = made.noisy(10, millisecond, 0.2);
    const auto b = made.noisy(10, 1.03 * millisecond, 0.2);
    EXPECT_EQ(testTimes(a, b).verdict, TimeVerdict::Undecided);
}

TEST(TimeTest, EstimatesRunsNeededToDecide) {
    // With the number of runs that an undecided test suggests, most decide; with a quarter of them, few do.
    int asked = 0;
    int decided = 0;
    int early = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        MadeUpSamples made(seed);
        const auto sides = [&made](std::size_t count) {
            return testTimes(made.noisy(count, millisecond, 0.1), made.noisy(count, 1.10 * millisecond, 0.1));
        };
        const TimeTest first = sides(12);
        if (first.verdict != TimeVerdict::Undecided || !first.runsToDecide || *first.runsToDecide > 2000) {
            continue;
        }
        EXPECT_EQ(first.reason, UndecidedReason::Noise);
        EXPECT_GT(*first.runsToDecide, 12U);
        ++asked;
        const auto enough = static_cast<std::size_t>(*first.runsToDecide);
        decided += sides(enough).verdict != TimeVerdict::Undecided ? 1 : 0;
        early += sides(std::max<std::size_t>(6, enough / 4)).verdict != TimeVerdict::Undecided ? 1 : 0;
    }
    ASSERT_GT(asked, 20);
    EXPECT_GT(decided, asked * 6 / 10);
    EXPECT_LT(early, decided);
}

TEST(TimeTest, AChangeAtTheThresholdIsNeverDecided) {
    const std::vector<double> one(50, 1000);
    const std::vector<double> two(50, 2000);  // a clock of microsecond resolution
    const TimeTest test = testTimes(one, two);
    EXPECT_EQ(test.reason, UndecidedReason::AtThreshold);
    EXPECT_FALSE(test.runsToDecide);
}

TEST(TimeTest, FewSamplesFarApartDecide) {
    const std::vector<double> few{45'000, 45'800, 46'100};
    std::vector<double> many(60, 345);
    many.front() = 1064;  // cold
    EXPECT_EQ(testTimes(many, few).verdict, TimeVerdict::Slower);
    EXPECT_EQ(testTimes(few, many).verdict, TimeVerdict::Faster);
    EXPECT_EQ(testTimes(std::vector<double>{345}, std::vector<double>{45'800}).verdict, TimeVerdict::Slower);
}

TEST(TimeTest, AColdRunAloneDecidesNothing) {
    const std::vector<double> many(60, 345);
    const TimeTest test = testTimes(many, std::vector<double>{1064});
    EXPECT_EQ(test.verdict, TimeVerdict::Undecided);
    EXPECT_EQ(test.reason, UndecidedReason::TooFewRuns);
}

TEST(TimeTest, FewSamplesOfTheSameTimeAreRarelyDecided) {
    MadeUpSamples made(7);
    int decided = 0;
    constexpr int repetitions = 400;
    for (int i = 0; i < repetitions; ++i) {
        const auto a = made.noisy(3, millisecond, 0.05);
        const auto b = made.noisy(3, millisecond, 0.05);
        const TimeVerdict verdict = testTimes(a, b).verdict;
        decided += verdict == TimeVerdict::Slower || verdict == TimeVerdict::Faster ? 1 : 0;
    }
    EXPECT_LE(decided, repetitions / 20);
}

TEST(TimeTest, FewSamplesCloseTogetherDecideNothing) {
    const std::vector<double> a{100, 101, 99, 100};
    const std::vector<double> b{107, 109, 99, 105};
    const TimeTest few = testTimes(a, b);
    EXPECT_EQ(few.verdict, TimeVerdict::Undecided);
    EXPECT_EQ(few.ratio, 1.06);
    EXPECT_EQ(few.reason, UndecidedReason::TooFewRuns);
    EXPECT_EQ(few.runsToDecide, minSamples);
    const std::vector<double> one{100};
    EXPECT_EQ(testTimes(one, one).verdict, TimeVerdict::Undecided);
    const TimeTest none = testTimes({}, b);
    EXPECT_EQ(none.verdict, TimeVerdict::Undecided);
    EXPECT_FALSE(none.ratio);
    EXPECT_EQ(none.medianB, 106);
}

TEST(TimeTest, FiveClearSamplesDecide) {
    const std::vector<double> a{100, 101, 99, 100, 102};
    const std::vector<double> b{200, 201, 199, 200, 202};
    EXPECT_EQ(testTimes(a, b).verdict, TimeVerdict::Slower);
}

TEST(TimeTest, TheSameSamplesAreTheSame) {
    MadeUpSamples made(3);
    const auto a = made.noisy(20, millisecond, 0.5);
    const TimeTest equal = testTimes(a, a);
    EXPECT_EQ(equal.verdict, TimeVerdict::Same);
    EXPECT_EQ(equal.ratio, 1.0);
    EXPECT_EQ(equal.difference, 0);
}

TEST(TimeTest, ZeroDurationsHaveNoRatio) {
    const std::vector<double> zeros(50, 0);
    const TimeTest same = testTimes(zeros, std::vector<double>(40, 0.0));
    EXPECT_EQ(same.verdict, TimeVerdict::Same);
    EXPECT_FALSE(same.ratio);
    const TimeTest slower = testTimes(zeros, std::vector<double>(50, 250.0));
    EXPECT_EQ(slower.verdict, TimeVerdict::Slower);
    EXPECT_FALSE(slower.ratio);
    EXPECT_EQ(slower.difference, 250);
    EXPECT_EQ(testTimes(std::vector<double>(50, 250.0), zeros).verdict, TimeVerdict::Faster);
}

// With a clock of microsecond resolution, 1 and 2 may be 1.99 and 2.
TEST(TimeTest, OneStepOfACoarseClockDecidesNothing) {
    const std::vector<double> one(50, 1000);
    const std::vector<double> two(50, 2000);
    const std::vector<double> four(50, 4000);
    EXPECT_EQ(testTimes(one, two).verdict, TimeVerdict::Undecided);
    EXPECT_EQ(testTimes(one, four).verdict, TimeVerdict::Slower);
    EXPECT_EQ(testTimes(one, std::vector<double>(40, 1000.0)).verdict, TimeVerdict::Same);
}

TEST(TimeTest, OutliersDoNotDecide) {
    MadeUpSamples made(4);
    auto a = made.noisy(50, millisecond, 0.005);
    auto b = made.noisy(50, millisecond, 0.005);
    for (std::size_t i = 0; i < 10; ++i) {
        b[5 * i] *= 50;
    }
    EXPECT_EQ(testTimes(a, b).verdict, TimeVerdict::Same);
}

TEST(TimeTest, PairsCancelADriftThatBothShare) {
    MadeUpSamples made(5);
    std::vector<double> a;
    std::vector<double> b;
    for (std::size_t i = 0; i < 60; ++i) {
        const double drift = 1 + 0.4 * static_cast<double>(i) / 60;
        a.push_back(millisecond * drift * (1 + 0.003 * made.normal()));
        b.push_back(1.05 * millisecond * drift * (1 + 0.003 * made.normal()));
    }
    const TimeTest paired = testTimes(a, b, {.paired = true});
    EXPECT_EQ(paired.verdict, TimeVerdict::Slower);
    EXPECT_TRUE(paired.driftA);
    const TimeTest unpaired = testTimes(a, b);
    EXPECT_EQ(unpaired.verdict, TimeVerdict::Undecided);
    EXPECT_GT(unpaired.ratioInterval->high - unpaired.ratioInterval->low,
              5 * (paired.ratioInterval->high - paired.ratioInterval->low));
}

TEST(TimeTest, TheSameSeedGivesTheSameAnswer) {
    MadeUpSamples made(6);
    const auto a = made.noisy(30, millisecond, 0.05);
    const auto b = made.noisy(30, millisecond, 0.05);
    const TimeTest first = testTimes(a, b);
    const TimeTest second = testTimes(a, b);
    EXPECT_EQ(first.ratioInterval, second.ratioInterval);
    EXPECT_EQ(first.slowerProbability, second.slowerProbability);
    EXPECT_NE(first.ratioInterval, testTimes(a, b, {.seed = 1}).ratioInterval);
}

TEST(TimeTest, VeryManySamplesAreThinned) {
    MadeUpSamples made(8);
    const auto a = made.noisy(40'000, millisecond, 0.1);
    const auto b = made.noisy(40'000, 1.05 * millisecond, 0.1);
    const TimeTest found = testTimes(a, b);
    EXPECT_EQ(found.verdict, TimeVerdict::Slower);
    EXPECT_EQ(found.countA, 40'000U);
}

TEST(Median, OfFewAndMany) {
    EXPECT_EQ(median({}), 0);
    EXPECT_EQ(median(std::vector<double>{3}), 3);
    EXPECT_EQ(median(std::vector<double>{9, 1}), 5);
    EXPECT_EQ(median(std::vector<double>{9, 1, 2}), 2);
}

TEST(Drift, IsATrendBeyondChance) {
    MadeUpSamples made(9);
    EXPECT_FALSE(drifts(made.noisy(100, millisecond, 0.01)));
    EXPECT_TRUE(drifts(made.make(100, [](MadeUpSamples& each, std::size_t i) {
        return millisecond * (1 + 0.001 * static_cast<double>(i) + 0.01 * each.normal());
    })));
    EXPECT_FALSE(drifts(std::vector<double>(100, 1.0)));
    EXPECT_FALSE(drifts(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

}  // namespace
}  // namespace et::inspector

#include "inspector/trend/change_points.h"

#include "inspector/trend/circular_scan.h"
#include "tests/inspector/comparison/made_up_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace et::inspector {
namespace {

using test::MadeUpSamples;

std::vector<double> noisy(std::uint64_t seed, std::size_t count, double level = 1000, double noise = 0.01) {
    return MadeUpSamples(seed).noisy(count, level, noise);
}

void raise(std::vector<double>& series, std::size_t from, std::size_t to, double factor) {
    for (std::size_t i = from; i < to; ++i) {
        series[i] *= factor;
    }
}

std::vector<ChangePoint> changesOf(const std::vector<double>& series, const ChangeOptions& options = {}) {
    const SeriesGroup group{.series = {series}};
    return findChangePoints(std::span(&group, 1), options).front().front();
}

TEST(CircularScan, IsTheLargestDifferenceOfMeans) {
    MadeUpSamples made(3);
    for (const std::size_t count : {3UL, 5UL, 6UL, 13UL, 15UL}) {
        std::vector<float> series(count);
        for (float& each : series) {
            each = static_cast<float>(made.normal());
        }
        double most = 0;
        // Up to 7 points, the lengths of inner segments grow by one, and every position is tried.
        for (std::size_t from = 3; from < count; ++from) {
            for (std::size_t to = from + 3; to <= count; ++to) {
                if (to < count && (to + 3 > count || to - from < 5 || to - from > 7)) {
                    continue;
                }
                const auto inside = std::accumulate(series.begin() + static_cast<long>(from),
                                                    series.begin() + static_cast<long>(to), 0.0);
                const auto all = std::accumulate(series.begin(), series.end(), 0.0);
                const auto in = static_cast<double>(to - from);
                const auto out = static_cast<double>(count) - in;
                most = std::max(most,
                                std::abs(inside / in - (all - inside) / out) / std::sqrt(1 / in + 1 / out));
            }
        }
        const CircularScan scan(count, 3);
        EXPECT_NEAR(scan.best(series).deviations, most, 1e-5) << count;
        EXPECT_NEAR(scan.largest(series), most, 1e-5) << count;
    }
}

TEST(CircularScan, FastVersionMatchesDirectComputation) {
    MadeUpSamples made(4);
    for (const std::size_t count : {16UL, 40UL, 101UL, 500UL}) {
        std::vector<float> series(count);
        for (float& each : series) {
            each = static_cast<float>(made.normal());
        }
        const CircularScan scan(count, 3);
        EXPECT_NEAR(scan.best(series).deviations, scan.largest(series), 1e-4) << count;
    }
}

TEST(ChangePoints, LocatesAStep) {
    std::vector<double> series = noisy(1, 60);
    raise(series, 41, 60, 1.05);
    const auto changes = changesOf(series);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].at, 41U);
    EXPECT_LE(changes[0].earliest, 41U);
    EXPECT_GE(changes[0].latest, 41U);
    EXPECT_LE(changes[0].probability, 0.01);
}

TEST(ChangePoints, ThreePointsAreEnoughForAClearStep) {
    std::vector<double> series = noisy(2, 40);
    raise(series, 37, 40, 1.1);
    const auto changes = changesOf(series);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].at, 37U);
}

TEST(ChangePoints, TemporaryShiftIsTwoChanges) {
    std::vector<double> series = noisy(3, 80);
    raise(series, 30, 42, 1.06);
    const auto changes = changesOf(series);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].at, 30U);
    EXPECT_EQ(changes[1].at, 42U);
}

TEST(ChangePoints, OneOutlierIsNotAChange) {
    for (const std::size_t at : {0UL, 1UL, 20UL, 38UL, 39UL}) {
        std::vector<double> series = noisy(4 + at, 40);
        series[at] *= 3;
        EXPECT_TRUE(changesOf(series).empty()) << at;
    }
}

TEST(ChangePoints, NothingChangesInConstantOrShortSeries) {
    EXPECT_TRUE(changesOf(std::vector<double>(50, 7)).empty());
    EXPECT_TRUE(changesOf(std::vector<double>(50, 0)).empty());
    EXPECT_TRUE(changesOf({1, 1, 9, 9, 9}).empty());
    EXPECT_TRUE(changesOf({}).empty());
    EXPECT_TRUE(findChangePoints({}, {}).empty());
}

TEST(ChangePoints, CoarseClocksHaveStepsToo) {
    std::vector<double> series(40, 5);
    std::fill(series.begin() + 25, series.end(), 6);
    const auto changes = changesOf(series);
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].at, 25U);
}

TEST(ChangePoints, TheSameSeedGivesTheSameAnswer) {
    std::vector<double> series = noisy(6, 60);
    raise(series, 20, 60, 1.012);
    EXPECT_EQ(changesOf(series, {.seed = 5}), changesOf(series, {.seed = 5}));
}

/// The false positive rate covers all series together: a change that would be significant alone is not among
/// a thousand.
TEST(ChangePoints, ManySeriesRequireStrongerEvidence) {
    std::vector<double> series = noisy(8, 24);
    raise(series, 12, 24, 1.018);
    ASSERT_FALSE(changesOf(series, {.alarmRate = 0.05}).empty());
    SeriesGroup group{.series = {series}};
    for (std::uint64_t i = 0; i < 1000; ++i) {
        group.series.push_back(noisy(100 + i, 24));
    }
    const auto all = findChangePoints(std::span(&group, 1), {.alarmRate = 0.05});
    EXPECT_TRUE(all.front().front().empty());
}

/// Autocorrelated noise resembles level changes; a test that assumes independence exceeds its stated false
/// positive rate.
TEST(ChangePoints, DriftingNoiseIsNoChange) {
    std::size_t called = 0;
    constexpr std::size_t histories = 100;
    for (std::size_t i = 0; i < histories; ++i) {
        MadeUpSamples made(50 + i);
        double luck = made.normal();
        std::vector<double> series(100);
        for (double& each : series) {
            luck = 0.6 * luck + 0.8 * made.normal();
            each = 1000 * (1 + 0.01 * luck);
        }
        called += changesOf(series, {.alarmRate = 0.05, .seed = i}).empty() ? 0 : 1;
    }
    EXPECT_LE(called, 12U);
}

}  // namespace
}  // namespace et::inspector

#include "inspector/numeric_gap/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace et::inspector {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(GapMetrics, MatchTheirDefinitions) {
    const std::vector<double> reference{1, -2, 4};
    const std::vector<double> runtime{1, -1, 2};
    const GapNumbers gap = measureGap(reference, runtime, FloatFormat::Float);
    EXPECT_DOUBLE_EQ(gap[GapMetric::Mse].value(), 5.0 / 3);
    EXPECT_DOUBLE_EQ(gap[GapMetric::L1].value(), 3);
    EXPECT_DOUBLE_EQ(gap[GapMetric::Snr].value(), 10 * std::log10(21.0 / 5));
    EXPECT_DOUBLE_EQ(gap[GapMetric::Cosine].value(), 11 / std::sqrt(21.0 * 6));
    EXPECT_DOUBLE_EQ(gap[GapMetric::MaxAbsolute].value(), 2);
    EXPECT_DOUBLE_EQ(gap[GapMetric::MaxRelative].value(), 0.5);
    EXPECT_DOUBLE_EQ(gap[GapMetric::Psnr].value(), 10 * std::log10(36 / (5.0 / 3)));
}

TEST(GapMetrics, UlpCountsNumbersOfTheFormat) {
    const double next = std::nextafter(1.0F, 2.0F);
    EXPECT_EQ(measureGap(std::vector{1.0}, std::vector{next}, FloatFormat::Float)[GapMetric::Ulp], 1.0);
    EXPECT_EQ(measureGap(std::vector{1.0}, std::vector{next}, FloatFormat::Half)[GapMetric::Ulp], 0.0);
    EXPECT_FALSE(measureGap(std::vector{1.0}, std::vector{2.0}, FloatFormat::None)[GapMetric::Ulp]);
}

TEST(GapMetrics, EqualTensorsHaveInfiniteRatios) {
    const std::vector<double> numbers{1, 2};
    const GapNumbers gap = measureGap(numbers, numbers, FloatFormat::Float);
    EXPECT_EQ(gap[GapMetric::Mse], 0.0);
    EXPECT_EQ(gap[GapMetric::Snr], infinity);
    EXPECT_EQ(gap[GapMetric::Psnr], infinity);
    EXPECT_FALSE(measureGap(std::vector{0.0}, std::vector{0.0}, FloatFormat::Float)[GapMetric::Snr]);
}

TEST(GapMetrics, EmptyTensorsHaveNoMetrics) {
    for (const auto& number : measureGap({}, {}, FloatFormat::Float).values) {
        EXPECT_FALSE(number);
    }
}

TEST(GapMetrics, NanOnOneSideIsAnInfiniteError) {
    for (const double special : {nan, infinity}) {
        const GapNumbers gap =
            measureGap(std::vector{special, 1.0}, std::vector{2.0, 1.0}, FloatFormat::Float);
        EXPECT_EQ(gap[GapMetric::Mse], infinity);
        EXPECT_EQ(gap[GapMetric::L1], infinity);
        EXPECT_EQ(gap[GapMetric::MaxAbsolute], infinity);
        EXPECT_EQ(gap[GapMetric::Snr], -infinity);
        EXPECT_EQ(gap[GapMetric::Psnr], -infinity);
    }
    EXPECT_EQ(measureGap(std::vector{infinity}, std::vector{-infinity}, FloatFormat::Float)[GapMetric::Mse],
              infinity);
}

TEST(GapMetrics, NanOnBothSidesIsNeverExact) {
    const std::vector<double> numbers{nan, 1.0};
    const GapNumbers gap = measureGap(numbers, numbers, FloatFormat::Float);
    for (const GapMetric metric : {GapMetric::Mse, GapMetric::L1, GapMetric::Snr, GapMetric::Psnr,
                                   GapMetric::Cosine, GapMetric::MaxAbsolute}) {
        ASSERT_TRUE(gap[metric]) << traits(metric).name;
        EXPECT_TRUE(std::isnan(*gap[metric])) << traits(metric).name;
    }
}

TEST(GapMetrics, EqualInfinitiesAreLeftOutOfErrors) {
    const GapNumbers gap =
        measureGap(std::vector{-infinity, 1.0}, std::vector{-infinity, 3.0}, FloatFormat::Float);
    EXPECT_EQ(gap[GapMetric::L1], 2.0);
    EXPECT_EQ(gap[GapMetric::MaxAbsolute], 2.0);
    ASSERT_TRUE(gap[GapMetric::Snr]);
    EXPECT_TRUE(std::isnan(*gap[GapMetric::Snr]));
}

TEST(SideStatistics, CountsNan) {
    const SideStatistics side = computeStatistics(std::vector{nan, infinity, -infinity, 0.0, -3.0, 5.0});
    EXPECT_EQ(side.elements, 6U);
    EXPECT_EQ(side.nans, 1U);
    EXPECT_EQ(side.infinities, 2U);
    EXPECT_EQ(side.zeros, 1U);
    EXPECT_EQ(side.minimum, -3);
    EXPECT_EQ(side.maximum, 5);
    EXPECT_DOUBLE_EQ(side.mean, 2.0 / 3);
    EXPECT_DOUBLE_EQ(side.deviation, std::sqrt((4.0 / 9 + 121.0 / 9 + 169.0 / 9) / 3));
}

TEST(SideStatistics, PercentileIsOfAbsoluteValuesAndInterpolates) {
    std::vector<double> numbers;
    for (int i = 0; i <= 100; ++i) {
        numbers.push_back(i % 2 == 0 ? i : -i);
    }
    EXPECT_DOUBLE_EQ(computeStatistics(numbers).p99, 99);
    EXPECT_DOUBLE_EQ(computeStatistics(std::vector{1.0, 2.0}).p99, 1.99);
    EXPECT_DOUBLE_EQ(computeStatistics(std::vector{-7.0}).p99, 7);
}

/// Returns numbers of all magnitudes, enough to affect how the percentile is computed.
std::vector<float> drawn(std::uint64_t seed, std::size_t count) {
    std::mt19937_64 random(seed);
    std::vector<float> numbers(count);
    for (float& number : numbers) {
        const double share = static_cast<double>(random() >> 11U) * 0x1p-53;
        number = static_cast<float>((share - 0.5) * std::exp2(static_cast<double>(random() % 40) - 20));
    }
    return numbers;
}

TEST(GapMetrics, FloatsAreConvertedToDoubleFirst) {
    std::vector<float> reference = drawn(1, 5003);
    std::vector<float> runtime = reference;
    for (std::size_t i = 0; i < runtime.size(); i += 3) {
        runtime[i] *= 1.0F + 1e-4F * static_cast<float>(i % 7);
    }
    for (const bool isSpecial : {false, true}) {
        if (isSpecial) {
            reference[7] = std::numeric_limits<float>::quiet_NaN();
            runtime[9] = std::numeric_limits<float>::infinity();
        }
        const std::vector<double> left(reference.begin(), reference.end());
        const std::vector<double> right(runtime.begin(), runtime.end());
        const GapNumbers floats =
            measureGap(std::span<const float>(reference), std::span<const float>(runtime));
        const GapNumbers doubles = measureGap(left, right, FloatFormat::Float);
        for (const GapMetricInfo& each : gapMetrics) {
            const auto one = floats[each.metric];
            const auto other = doubles[each.metric];
            EXPECT_TRUE(one == other || (one && other && std::isnan(*one) && std::isnan(*other)))
                << each.name;
        }
        const SideStatistics one = computeStatistics(std::span<const float>(runtime));
        const SideStatistics other = computeStatistics(right);
        EXPECT_EQ(one.mean, other.mean);
        EXPECT_EQ(one.p99, other.p99);
        EXPECT_EQ(one.deviation, other.deviation);
        EXPECT_EQ(one.infinities, isSpecial ? 1U : 0U);
    }
}

TEST(GapMetrics, ThePercentileIsThatOfTheSortedMagnitudes) {
    for (const std::size_t count : {1U, 2U, 99U, 101U, 20'000U}) {
        std::vector<double> numbers;
        for (const float number : drawn(count, count)) {
            numbers.push_back(number);
        }
        std::vector<double> sorted;
        std::ranges::transform(numbers, std::back_inserter(sorted),
                               [](double number) { return std::abs(number); });
        std::ranges::sort(sorted);
        const double rank = 0.99 * static_cast<double>(count - 1);
        const auto below = static_cast<std::size_t>(rank);
        const double next = sorted[std::min(below + 1, count - 1)];
        EXPECT_DOUBLE_EQ(computeStatistics(numbers).p99,
                         sorted[below] + (next - sorted[below]) * (rank - static_cast<double>(below)))
            << count;
    }
    const std::vector<double> same(5000, -2.5);
    EXPECT_EQ(computeStatistics(same).p99, 2.5);
}

}  // namespace
}  // namespace et::inspector

// Tests of time over size: segments, their ends, steps and their causes.
#include "app/tasks/shapes/size_curve.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace et::tasks {
namespace {

std::vector<SizeSample> samplesOf(std::int64_t first, std::int64_t last, std::int64_t step,
                                  const std::function<double(double)>& value) {
    std::vector<SizeSample> samples;
    for (const std::int64_t size : sizesBetween(first, last, step, 0)) {
        samples.push_back({.size = size, .value = value(static_cast<double>(size)), .spread = 0.5});
    }
    return samples;
}

TEST(SizeCurve, ALineIsLinearToItsEnd) {
    const auto samples = samplesOf(1, 128, 8, [](double size) { return 100 + 3 * size; });
    const SizeTrend trend = trendOf(samples, {});
    EXPECT_TRUE(trend.changes);
    EXPECT_EQ(trend.linearUntil, 128);
    EXPECT_NEAR(trend.line.slope, 3, 1e-9);
    EXPECT_NEAR(trend.line.base, 100, 1e-9);
    EXPECT_TRUE(trend.steps.empty());
}

TEST(SizeCurve, OneDisturbedMeasurementChangesNothing) {
    auto samples = samplesOf(1, 128, 8, [](double size) { return 100 + 3 * size; });
    samples[5].value *= 1.8;
    EXPECT_EQ(trendOf(samples, {}).linearUntil, 128);
}

TEST(SizeCurve, ABendIsWhereTheLineEnds) {
    const auto samples =
        samplesOf(0, 160, 10, [](double size) { return 100 + 2 * size + (size > 80 ? 8 * (size - 80) : 0); });
    const SizeTrend trend = trendOf(samples, {});
    ASSERT_TRUE(trend.linearUntil);
    EXPECT_GE(*trend.linearUntil, 80);
    EXPECT_LE(*trend.linearUntil, 90);
    EXPECT_NEAR(trend.line.slope, 2, 0.5);
}

TEST(SizeCurve, NamesTheOperatorThatBendsTheCurve) {
    const auto bend = [](double size) { return size > 80 ? 8 * (size - 80) : 0; };
    const auto samples = samplesOf(0, 160, 10, [&](double size) { return 100 + 2 * size + bend(size); });
    std::vector<SizePart> parts{{.name = "straight", .values = {}}, {.name = "bent", .values = {}}};
    for (const SizeSample& each : samples) {
        parts[0].values.push_back(100 + 2 * static_cast<double>(each.size));
        parts[1].values.push_back(bend(static_cast<double>(each.size)));
    }
    const SizeTrend trend = trendOf(samples, parts);
    ASSERT_EQ(trend.bends.size(), 1U);
    EXPECT_EQ(trend.bends[0].maker, "bent");
    EXPECT_NEAR(trend.bends[0].excess, 640, 90);
}

TEST(SizeCurve, ASquareIsNoLineAndHasItsExponent) {
    const auto samples = samplesOf(0, 160, 10, [](double size) { return 100 + size * size / 4; });
    const SizeTrend trend = trendOf(samples, {});
    EXPECT_LT(trend.linearUntil.value_or(0), 160);
    EXPECT_TRUE(trend.steps.empty());
    ASSERT_TRUE(trend.fit.exponent);
    EXPECT_NEAR(*trend.fit.exponent, 2, 0.2);
}

TEST(SizeCurve, AStepIsFoundWithThePartThatMakesIt) {
    const auto cost = [](double size) { return 100 + size + (size > 64 ? 200 : 0); };
    const auto samples = samplesOf(16, 128, 8, cost);
    std::vector<SizePart> parts{{.name = "add", .values = {}}, {.name = "mul", .values = {}}};
    for (const SizeSample& each : samples) {
        parts[0].values.push_back(100 + static_cast<double>(each.size));
        parts[1].values.push_back(each.size > 64 ? 200 : 0);
    }
    const SizeTrend trend = trendOf(samples, parts);
    ASSERT_EQ(trend.steps.size(), 1U);
    EXPECT_EQ(trend.steps[0].before, 64);
    EXPECT_EQ(trend.steps[0].after, 72);
    EXPECT_EQ(trend.steps[0].maker, "mul");
    EXPECT_EQ(trend.steps[0].makerRise, 200);
    EXPECT_EQ(trend.linearUntil, 64);
}

TEST(SizeCurve, NoiseIsNotAStep) {
    auto samples = samplesOf(16, 128, 8, [](double size) { return 100 + size; });
    samples[6].value += 40;
    samples[6].spread = 30;
    EXPECT_TRUE(trendOf(samples, {}).steps.empty());
}

TEST(SizeCurve, FewSizesGiveNoFit) {
    EXPECT_FALSE(trendOf({}, {}).changes);
    const auto three = samplesOf(1, 3, 1, [](double size) { return size; });
    EXPECT_FALSE(trendOf(three, {}).linearUntil);
    const auto flat = samplesOf(1, 64, 4, [](double) { return 7.0; });
    EXPECT_FALSE(trendOf(flat, {}).changes);
}

TEST(SizeCurve, SizesHaveBothEnds) {
    EXPECT_EQ(sizesBetween(1, 128, 50, 0), (std::vector<std::int64_t>{1, 51, 101, 128}));
    EXPECT_EQ(sizesBetween(1, 5, 0, 17), (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(sizesBetween(0, 160, 0, 5), (std::vector<std::int64_t>{0, 40, 80, 120, 160}));
    EXPECT_EQ(sizesBetween(7, 7, 0, 17), (std::vector<std::int64_t>{7}));
}

}  // namespace
}  // namespace et::tasks

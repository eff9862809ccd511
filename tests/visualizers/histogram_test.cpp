#include "visualizers/toolkit/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace et::visualizers {

namespace {

std::uint32_t total(const Histogram& of) {
    return std::accumulate(of.counts.begin(), of.counts.end(), 0U);
}

TEST(Histogram, CountsEverySampleOnce) {
    std::vector<double> samples(1000);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = std::sin(static_cast<double>(i));
    }
    const Histogram found = histogram(samples, 48);
    EXPECT_EQ(total(found), 1000U);
    EXPECT_GT(found.counts.size(), 5U);
    EXPECT_LE(found.counts.size(), 48U);
    EXPECT_EQ(found.lowest, *std::ranges::min_element(samples));
    EXPECT_EQ(found.highest, *std::ranges::max_element(samples));
}

TEST(Histogram, LargestSampleIsInTheLastBin) {
    const std::vector<double> samples{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100};
    const Histogram found = histogram(samples, 10);
    EXPECT_EQ(found.counts.back(), 1U);
    EXPECT_EQ(found.tallest(), found.counts.front());
    EXPECT_EQ(total(found), 11U);
}

TEST(Histogram, AcceptsAnySamples) {
    EXPECT_TRUE(histogram({}, 10).counts.empty());
    EXPECT_EQ(histogram(std::vector<double>{2, 2, 2}, 10).counts, std::vector<std::uint32_t>{3});
    constexpr double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(total(histogram(std::vector<double>{1, std::nan(""), infinite, 2}, 10)), 2U);
    constexpr double huge = std::numeric_limits<double>::max();
    EXPECT_EQ(total(histogram(std::vector<double>{-huge, huge}, 10)), 2U) << "the range is infinite";
    // If most samples are equal, an outlier still has a separate bin.
    std::vector<double> samples(100, 1.0);
    samples.push_back(50);
    EXPECT_EQ(histogram(samples, 10).counts.back(), 1U);
}

}  // namespace

}  // namespace et::visualizers

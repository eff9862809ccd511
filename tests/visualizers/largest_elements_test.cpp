#include "visualizers/verify/largest_elements.h"

#include <gtest/gtest.h>

#include <limits>

namespace et::visualizers {
namespace {

TensorValues scores(std::vector<double> numbers) {
    const auto count = static_cast<std::int64_t>(numbers.size());
    return {.type = "float32", .sizes = {1, count}, .numbers = std::move(numbers)};
}

TEST(LargestElements, AreSorted) {
    const auto found =
        largestElements(scores({0.1, std::numeric_limits<double>::quiet_NaN(), 0.5, 0.25, 0.5}), 3);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].place, 2U);
    EXPECT_EQ(found[1].place, 4U) << "of equals the first comes first";
    EXPECT_EQ(found[2].place, 3U);
    EXPECT_EQ(found[2].number, 0.25);
    EXPECT_EQ(largestElements(scores({1, 2, 3}), 9).size(), 3U);
}

TEST(LargestElements, OnlyRowsAreScores) {
    EXPECT_TRUE(isRowOfScores(scores({1, 2, 3})));
    EXPECT_FALSE(isRowOfScores(scores({1, 2})));
    TensorValues plane = scores({1, 2, 3, 4, 5, 6});
    plane.sizes = {2, 3};
    EXPECT_FALSE(isRowOfScores(plane));
    TensorValues tokens = scores({1, 2, 3});
    tokens.integral = true;
    EXPECT_FALSE(isRowOfScores(tokens));
    EXPECT_FALSE(isRowOfScores({.type = "Double", .sizes = {}, .numbers = {1}}));
}

}  // namespace
}  // namespace et::visualizers

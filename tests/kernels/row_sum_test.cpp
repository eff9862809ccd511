// The order of a sum, seen by what is lost beside a number whose neighbours are 2 apart.
#include "runtime/kernels/row_sum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace et::kernels {
namespace {

constexpr float large = 0x1p24F;

/// What is added to `large`, which stands first, by ones at these places.
float addedTo(std::size_t count, std::initializer_list<std::size_t> ones) {
    std::vector<float> row(count);
    row[0] = large;
    for (const std::size_t place : ones) {
        row[place] = 1;
    }
    return RowSum<float>::of(row) - large;
}

TEST(RowSum, AddsEightLanesOneAfterTheOther) {
    EXPECT_EQ(addedTo(8, {1}), 0);
    EXPECT_EQ(addedTo(8, {1, 2}), 0);
    EXPECT_EQ(addedTo(10, {8, 9}), 2);   // what fills no vector comes first
    EXPECT_EQ(addedTo(16, {1, 9}), 2);   // one lane of two vectors
    EXPECT_EQ(addedTo(16, {8, 1}), 0);   // 8 is in the lane of the large number
    EXPECT_EQ(addedTo(24, {8, 16}), 0);  // too few vectors for chains
}

TEST(RowSum, AddsFourChains) {
    EXPECT_EQ(addedTo(64, {8, 40}), 2);
    EXPECT_EQ(addedTo(64, {8, 16}), 0);
    EXPECT_EQ(addedTo(64, {32}), 0);
}

TEST(RowSum, AddsBlocksOfSixteenSteps) {
    EXPECT_EQ(addedTo(1024, {32, 64}), 0);
    EXPECT_EQ(addedTo(1024, {512, 544}), 2);
    EXPECT_EQ(addedTo(1024, {480, 512}), 0);
    constexpr std::size_t level = 16 * 512;
    EXPECT_EQ(addedTo(2 * level, {512, 1024}), 0);
    EXPECT_EQ(addedTo(2 * level, {level, level + 512}), 2);
}

TEST(RowSum, AddsManyDoubles) {
    const std::vector<double> row(100'003, 0.5);
    EXPECT_EQ(RowSum<double>::of(row), 50'001.5);
    EXPECT_EQ(RowSum<double>::of({}), 0);
}

}  // namespace
}  // namespace et::kernels

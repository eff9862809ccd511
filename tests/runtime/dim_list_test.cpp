#include "runtime/core/dim_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace et::core {
namespace {

using Dims = std::vector<std::int64_t>;

Dims counted(std::size_t count) {
    Dims numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
        numbers[i] = static_cast<std::int64_t>(i) + 1;
    }
    return numbers;
}

TEST(DimListTest, KeepsAnyNumberOfDimensions) {
    for (std::size_t count = 0; count < 12; ++count) {
        const SizeList list = counted(count);
        EXPECT_EQ(list.size(), count);
        EXPECT_EQ(list.empty(), count == 0);
        EXPECT_EQ(Dims(list), counted(count));
    }
}

TEST(DimListTest, ResizingKeepsElementsAndAddsZeros) {
    for (std::size_t before = 0; before < 9; ++before) {
        for (std::size_t after = 0; after < 9; ++after) {
            SizeList list = counted(before);
            list.resize(after);
            Dims expected = counted(before);
            expected.resize(after);
            EXPECT_EQ(list, expected) << before << " to " << after;
            list = counted(before);
            list.resize(after, 7);
            expected.resize(before < after ? before : after);
            expected.resize(after, 7);
            EXPECT_EQ(list, expected) << before << " to " << after;
        }
    }
}

TEST(DimListTest, DropsElementsCutOffByResizing) {
    SizeList list = counted(8);
    list.resize(2);
    list.resize(4);
    EXPECT_EQ(list, (Dims{1, 2, 0, 0}));
    list.resize(7);
    list.resize(5);
    list.resize(6);
    EXPECT_EQ(list, (Dims{1, 2, 0, 0, 0, 0}));
}

TEST(DimListTest, MovesFromAnotherList) {
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5, 6};
    SizeList list(bytes.begin(), bytes.end());
    EXPECT_EQ(list, counted(6));
    list.push_back(7);
    EXPECT_EQ(list, counted(7));
    list.assign(bytes.begin(), bytes.begin() + 3);
    list.push_back(4);
    list.push_back(5);
    EXPECT_EQ(list, counted(5));
}

TEST(DimListTest, CopiesAreTheirOwn) {
    for (const std::size_t count : {2U, 8U}) {
        SizeList list = counted(count);
        SizeList copy = list;
        copy[0] = 100;
        EXPECT_EQ(list, counted(count));
        list = copy;
        EXPECT_EQ(list, copy);
        SizeList taken = std::move(copy);
        EXPECT_EQ(taken, list);
        taken = counted(10 - count);
        EXPECT_EQ(taken, counted(10 - count));
        EXPECT_NE(taken, list);
    }
}

}  // namespace
}  // namespace et::core

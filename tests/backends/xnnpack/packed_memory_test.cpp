#include "backends/xnnpack/library/packed_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20U;

bool isAligned(const std::byte* address) {
    return reinterpret_cast<std::uintptr_t>(address) % 64 == 0;
}

TEST(PackedMemoryTest, PiecesDoNotOverlap) {
    PackedMemory memory;
    std::byte* small = memory.take(1000);
    std::byte* large = memory.take(3 * megabyte);
    std::byte* other = memory.take(megabyte + 1);
    std::byte* huge = memory.take(20 * megabyte);
    for (std::byte* each : {small, large, other, huge}) {
        ASSERT_NE(each, nullptr);
        EXPECT_TRUE(isAligned(each));
    }
    std::memset(small, 1, 1000);
    std::memset(large, 2, 3 * megabyte);
    std::memset(other, 3, megabyte + 1);
    std::memset(huge, 4, 20 * megabyte);
    EXPECT_EQ(small[999], std::byte{1});
    EXPECT_EQ(large[3 * megabyte - 1], std::byte{2});
    EXPECT_EQ(other[megabyte], std::byte{3});
    EXPECT_EQ(large[3 * megabyte], std::byte{0}) << "what kernels read behind it is always the same";
}

TEST(PackedMemoryTest, WhatIsGivenBackIsTakenAgain) {
    PackedMemory memory;
    std::byte* first = memory.take(megabyte);
    memory.giveBack();
    EXPECT_EQ(memory.take(megabyte), first);
}

TEST(PackedMemoryTest, TheNextOneGetsTheRegion) {
    std::byte* first = nullptr;
    {
        PackedMemory memory;
        first = memory.take(megabyte);
        ASSERT_NE(first, nullptr);
        std::memset(first, 5, megabyte);
    }
    PackedMemory next;
    EXPECT_EQ(next.take(megabyte), first);
    PackedMemory another;
    EXPECT_NE(another.take(megabyte), first) << "it has one owner";
}

}  // namespace
}  // namespace et::backends::xnnpack

// Tests of XNNPACK's memory in huge pages: packed weights of delegates, and its own allocations.
#include "backends/xnnpack/library/library_memory.h"
#include "backends/xnnpack/library/weights_cache.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t kilobyte = std::size_t{1} << 10U;
constexpr std::size_t megabyte = std::size_t{1} << 20U;
constexpr std::size_t alignment = 128;

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

TEST(PackedMemoryTest, ReusesFreedMemory) {
    PackedMemory memory;
    std::byte* first = memory.take(megabyte);
    memory.freeLast();
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

TEST(LargeBlocksTest, WeightsAreContiguous) {
    LargeBlocks blocks;
    std::vector<std::byte*> taken;
    const std::vector<std::size_t> sizes{200 * kilobyte + 3, 3 * megabyte, megabyte + 1, 20 * megabyte,
                                         130 * kilobyte};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        auto* const block = static_cast<std::byte*>(blocks.take(alignment, sizes[i]));
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
        std::memset(block, static_cast<int>(i + 1), sizes[i]);
        taken.push_back(block);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_EQ(taken[i][0], static_cast<std::byte>(i + 1));
        EXPECT_EQ(taken[i][sizes[i] - 1], static_cast<std::byte>(i + 1));
    }
    EXPECT_LT(taken[1] - taken[0], 256 * static_cast<std::ptrdiff_t>(kilobyte));
    for (const std::byte* const block : taken) {
        EXPECT_TRUE(blocks.give(block));
    }
    EXPECT_FALSE(blocks.give(taken[0])) << "the region went with its last piece";
}

TEST(LargeBlocksTest, DoesNotOwnHeapMemory) {
    LargeBlocks blocks;
    auto* const block = blocks.take(alignment, megabyte);
    const std::vector<std::byte> other(kilobyte);
    EXPECT_FALSE(blocks.give(other.data()));
    EXPECT_FALSE(blocks.give(nullptr));
    EXPECT_TRUE(blocks.give(block));
    EXPECT_FALSE(LargeBlocks::takes(kilobyte));
    EXPECT_TRUE(LargeBlocks::takes(megabyte));
    EXPECT_FALSE(LargeBlocks::takes(1024 * megabyte)) << "there may be less";
}

TEST(LibraryAllocatorTest, LargeBlocksComeFromLargePages) {
    const xnn_allocator& library = libraryAllocator();
    for (const std::size_t size : {kilobyte, 4 * megabyte}) {
        void* const block = library.aligned_allocate(nullptr, alignment, size);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
        std::memset(block, 1, size);
        EXPECT_EQ(LargeBlocks::instance().give(block), size > megabyte);
        if (size <= megabyte) {
            library.aligned_deallocate(nullptr, block);
        }
    }
}

TEST(LibraryAllocatorTest, WorkspacesAreRecordedAndComeFromTheHeap) {
    const xnn_allocator& library = libraryAllocator();
    const WorkspaceWatch watch;
    for (const std::size_t size : {kilobyte, 4 * megabyte}) {
        void* const block = library.aligned_allocate(nullptr, alignment, size);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0U);
        EXPECT_FALSE(LargeBlocks::instance().give(block));
        EXPECT_EQ(watch.bytes(), size);
        library.aligned_deallocate(nullptr, block);
    }
}

}  // namespace
}  // namespace et::backends::xnnpack

#include "backends/xnnpack/library/library_memory.h"

#include "backends/xnnpack/library/large_blocks.h"

#include <algorithm>
#include <cstdlib>

namespace et::backends::xnnpack {
namespace {

constexpr std::uint32_t knownVersion = 20241108;

struct Watched {
    bool isWatched = false;
    bool isPlanning = false;
    std::uint64_t bytes = 0;
};
thread_local Watched watched;
thread_local bool areSmallFromLargePages = false;

void* allocate(void*, std::size_t size) {
    watched.isPlanning = watched.isWatched;
    return std::malloc(size);
}

void* reallocate(void*, void* memory, std::size_t size) {
    return std::realloc(memory, size);
}

void release(void*, void* memory) {
    std::free(memory);
}

void releaseAligned(void*, void* memory) {
    if (!LargeBlocks::instance().give(memory)) {
        std::free(memory);
    }
}

void* alignedHeapBlock(std::size_t alignment, std::size_t size) {
    void* memory = nullptr;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void* allocateAlignedOnHeap(void*, std::size_t alignment, std::size_t size) {
    if (watched.isWatched) {
        watched.bytes = std::max<std::uint64_t>(watched.bytes, size);
    }
    return alignedHeapBlock(alignment, size);
}

void* allocateAligned(void*, std::size_t alignment, std::size_t size) {
    if (watched.isPlanning) {
        watched.bytes = size;
    }
    const LargeBlocks::Use use = watched.isPlanning ? LargeBlocks::Use::Workspace : LargeBlocks::Use::Weights;
    if (LargeBlocks::takes(use, size, areSmallFromLargePages)) {
        return LargeBlocks::instance().take(use, alignment, size);
    }
    return alignedHeapBlock(alignment, size);
}

}  // namespace

AlignedBlocks alignedBlocksOf(std::uint32_t libraryVersion) {
    return libraryVersion == knownVersion ? AlignedBlocks::LargePages : AlignedBlocks::Heap;
}

AlignedBlocks installedAlignedBlocks() {
    return alignedBlocksOf(ET_XNNPACK_VERSION);
}

const xnn_allocator& libraryAllocator(AlignedBlocks source) {
    static const xnn_allocator heap{.context = nullptr,
                                    .allocate = allocate,
                                    .reallocate = reallocate,
                                    .deallocate = release,
                                    .aligned_allocate = allocateAlignedOnHeap,
                                    .aligned_deallocate = release};
    static const xnn_allocator largePages{.context = nullptr,
                                          .allocate = allocate,
                                          .reallocate = reallocate,
                                          .deallocate = release,
                                          .aligned_allocate = allocateAligned,
                                          .aligned_deallocate = releaseAligned};
    return source == AlignedBlocks::Heap ? heap : largePages;
}

SmallPieces::SmallPieces(bool fromLargePages) {
    areSmallFromLargePages = fromLargePages;
}

SmallPieces::~SmallPieces() {
    areSmallFromLargePages = false;
}

WorkspaceWatch::WorkspaceWatch() {
    watched = {.isWatched = true};
}

WorkspaceWatch::~WorkspaceWatch() {
    watched = {};
}

std::uint64_t WorkspaceWatch::bytes() const {
    return watched.bytes;
}

}  // namespace et::backends::xnnpack

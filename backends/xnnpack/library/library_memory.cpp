#include "backends/xnnpack/library/library_memory.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>

namespace et::backends::xnnpack {
namespace {

struct Watched {
    bool isWatched = false;
    std::uint64_t bytes = 0;
};
thread_local Watched watched;

void* allocate(void*, std::size_t size) {
    return std::malloc(size);
}

void* reallocate(void*, void* memory, std::size_t size) {
    return std::realloc(memory, size);
}

void release(void*, void* memory) {
    std::free(memory);
}

void* allocateAligned(void*, std::size_t alignment, std::size_t size) {
    if (watched.isWatched) {
        watched.bytes = std::max<std::uint64_t>(watched.bytes, size);
    } else if (LargeBlocks::takes(size)) {
        return LargeBlocks::instance().take(alignment, size);
    }
    void* memory = nullptr;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

void releaseAligned(void*, void* memory) {
    if (!LargeBlocks::instance().give(memory)) {
        std::free(memory);
    }
}

}  // namespace

LargeBlocks& LargeBlocks::instance() {
    static auto* const only = new LargeBlocks();
    return *only;
}

bool LargeBlocks::takes(std::size_t size) {
    // Smaller ones come from the heap, which places them next to each other.
    constexpr std::size_t least = std::size_t{1} << 17U;
    // The system grants unreserved pages of any size; larger requests are left to the allocator to refuse.
    constexpr std::size_t most = std::size_t{1} << 28U;
    return size >= least && size <= most;
}

void* LargeBlocks::take(std::size_t alignment, std::size_t size) {
    const std::scoped_lock lock(mutex);
    auto region = std::ranges::find_if(regions, [&](const Region& each) {
        return each.pages.size - roundedUp(each.used, alignment) >= size;
    });
    if (region == regions.end()) {
        const PageRegion pages = allocatePageRegion(size);
        if (pages.start == nullptr) {
            return nullptr;
        }
        regions.push_back({.pages = pages});
        region = std::prev(regions.end());
    }
    const std::size_t at = roundedUp(region->used, alignment);
    region->used = at + size;
    ++region->blocks;
    return region->pages.start + at;
}

bool LargeBlocks::give(const void* block) {
    const std::scoped_lock lock(mutex);
    const auto isIn = [block](const Region& region) {
        const auto* const address = static_cast<const std::byte*>(block);
        return !std::less<>()(address, region.pages.start) &&
               std::less<>()(address, region.pages.start + region.pages.size);
    };
    const auto region = std::ranges::find_if(regions, isIn);
    if (region == regions.end()) {
        return false;
    }
    if (--region->blocks == 0) {
        releasePageRegion(region->pages);
        regions.erase(region);
    }
    return true;
}

const xnn_allocator& libraryAllocator() {
    static const xnn_allocator allocator{.context = nullptr,
                                         .allocate = allocate,
                                         .reallocate = reallocate,
                                         .deallocate = release,
                                         .aligned_allocate = allocateAligned,
                                         .aligned_deallocate = releaseAligned};
    return allocator;
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

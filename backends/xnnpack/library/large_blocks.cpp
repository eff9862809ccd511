#include "backends/xnnpack/library/large_blocks.h"

#include <algorithm>
#include <functional>
#include <iterator>

namespace et::backends::xnnpack {
LargeBlocks& LargeBlocks::instance() {
    static auto* const only = new LargeBlocks();
    return *only;
}

bool LargeBlocks::takes(Use use, std::size_t size, bool isOfMany) {
    // Smaller ones come from the heap, which places them next to each other.
    const std::size_t leastWeights = isOfMany ? 0 : std::size_t{1} << 17U;
    // A smaller one would leave most of a large page unused.
    constexpr std::size_t leastWorkspace = std::size_t{1} << 20U;
    // The system grants unreserved pages of any size; larger requests are left to the allocator to refuse.
    constexpr std::size_t most = std::size_t{1} << 28U;
    return size >= (use == Use::Weights ? leastWeights : leastWorkspace) && size <= most;
}

void* LargeBlocks::take(Use use, std::size_t alignment, std::size_t size) {
    const std::scoped_lock lock(mutex);
    const auto hasRoom = [&](const Region& region) {
        return region.use == Use::Weights && region.pages.size - roundedUp(region.used, alignment) >= size;
    };
    auto region = use == Use::Weights ? std::ranges::find_if(regions, hasRoom) : regions.end();
    if (region == regions.end()) {
        const PageRegion pages = allocatePageRegion(size);
        if (pages.start == nullptr) {
            return nullptr;
        }
        regions.push_back({.pages = pages, .used = 0, .blocks = 0, .use = use});
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

}  // namespace et::backends::xnnpack

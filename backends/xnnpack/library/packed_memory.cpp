#include "backends/xnnpack/library/packed_memory.h"

#include <xnnpack.h>

#include <cstdlib>
#include <cstring>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t blockAlignment = 64;
/// Smaller programs do not use large pages.
constexpr std::size_t maxSmall = std::size_t{1} << 19U;

}  // namespace

void PackedMemory::Free::operator()(void* memory) const {
    std::free(memory);
}

PackedMemory::~PackedMemory() {
    for (const Region& region : regions) {
        releasePageRegion(region.pages);
    }
}

std::byte* PackedMemory::take(std::size_t size) {
    last = (size + XNN_EXTRA_BYTES + blockAlignment - 1) / blockAlignment * blockAlignment;
    lastIsSmall = smallBytes + last <= maxSmall;
    std::byte* taken = lastIsSmall ? takeSmall(last) : takeLarge(last);
    if (taken != nullptr) {
        std::memset(taken + size, 0, last - size);
    }
    return taken;
}

std::byte* PackedMemory::takeSmall(std::size_t size) {
    void* memory = nullptr;
    if (posix_memalign(&memory, blockAlignment, size) != 0) {
        return nullptr;
    }
    small.emplace_back(memory);
    smallBytes += size;
    return static_cast<std::byte*>(memory);
}

std::byte* PackedMemory::takeLarge(std::size_t size) {
    if (regions.empty() || regions.back().pages.size - regions.back().used < size) {
        const PageRegion pages = allocatePageRegion(size);
        if (pages.start == nullptr) {
            return nullptr;
        }
        regions.push_back({.pages = pages, .used = 0});
    }
    Region& region = regions.back();
    std::byte* taken = region.pages.start + region.used;
    region.used += size;
    return taken;
}

void PackedMemory::freeLast() {
    if (lastIsSmall) {
        small.pop_back();
        smallBytes -= last;
    } else {
        regions.back().used -= last;
    }
}

}  // namespace et::backends::xnnpack

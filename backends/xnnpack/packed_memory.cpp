#include "backends/xnnpack/packed_memory.h"

#include <sys/mman.h>
#include <xnnpack.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t largePage = std::size_t{2} << 20U;
constexpr std::size_t regionBytes = 4 * largePage;
/// Programs with less stay as small as they are.
constexpr std::size_t mostSmall = std::size_t{1} << 19U;

constexpr std::size_t roundedUp(std::size_t number, std::size_t multiple) {
    return (number + multiple - 1) / multiple * multiple;
}

}  // namespace

void PackedMemory::Free::operator()(void* memory) const {
    std::free(memory);
}

PackedMemory::~PackedMemory() {
    for (const Region& region : regions) {
        ::munmap(region.start, region.size);
    }
}

std::byte* PackedMemory::take(std::size_t size) {
    last = roundedUp(size + XNN_EXTRA_BYTES, alignment);
    lastIsSmall = smallBytes + last <= mostSmall;
    return lastIsSmall ? takeSmall(last) : takeLarge(last);
}

std::byte* PackedMemory::takeSmall(std::size_t size) {
    void* memory = nullptr;
    if (posix_memalign(&memory, alignment, size) != 0) {
        return nullptr;
    }
    std::memset(memory, 0, size);
    small.emplace_back(memory);
    smallBytes += size;
    return static_cast<std::byte*>(memory);
}

std::byte* PackedMemory::takeLarge(std::size_t size) {
    if (regions.empty() || regions.back().size - regions.back().used < size) {
        // Large pages start at multiples of their size: what lies before the first one is given back.
        const std::size_t wanted = roundedUp(std::max(size, regionBytes), largePage);
        void* mapped = ::mmap(nullptr, wanted + largePage, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapped == MAP_FAILED) {
            return nullptr;
        }
        auto* start = static_cast<std::byte*>(mapped);
        const std::size_t before = roundedUp(reinterpret_cast<std::uintptr_t>(start), largePage) -
                                   reinterpret_cast<std::uintptr_t>(start);
        if (before != 0) {
            ::munmap(start, before);
        }
        if (before != largePage) {
            ::munmap(start + before + wanted, largePage - before);
        }
        // Refused where there are none, which does no harm.
        (void)::madvise(start + before, wanted, MADV_HUGEPAGE);
        regions.push_back({.start = start + before, .size = wanted, .used = 0});
    }
    Region& region = regions.back();
    std::byte* taken = region.start + region.used;
    region.used += size;
    return taken;
}

void PackedMemory::giveBack() {
    if (lastIsSmall) {
        small.pop_back();
        smallBytes -= last;
        return;
    }
    Region& region = regions.back();
    region.used -= last;
    std::memset(region.start + region.used, 0, last);
}

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/library/weights_cache.h"

#include "runtime/core/mapped_ranges.h"

#include <xnnpack.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t blockAlignment = 64;
/// Smaller programs do not use large pages.
constexpr std::size_t maxSmall = std::size_t{1} << 19U;

constexpr std::size_t notFound = SIZE_MAX;

WeightsCache& from(void* context) {
    return *static_cast<WeightsCache*>(context);
}

/// Frees the pages of the program whose weights are now packed. The key lacks the size of the weights, which
/// is about that of the packed ones.
void releaseSource(const xnn_weights_cache_look_up_key& key, std::size_t packedBytes) {
    constexpr std::size_t minBytes = std::size_t{64} * 1024;  // for fewer, the system call costs more
    if (key.kernel != nullptr && packedBytes >= minBytes) {
        core::releaseMappedPages({static_cast<const std::byte*>(key.kernel), packedBytes});
    }
}

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
    const auto hasRoom = [size](const Region& each) { return each.pages.size - each.used >= size; };
    auto found = std::ranges::find_if(regions, hasRoom);
    if (found == regions.end()) {
        const PageRegion pages = allocatePageRegion(size);
        if (pages.start == nullptr) {
            return nullptr;
        }
        found = regions.insert(found, {.pages = pages, .used = 0});
    }
    lastRegion = static_cast<std::size_t>(found - regions.begin());
    Region& region = *found;
    std::byte* taken = region.pages.start + region.used;
    region.used += size;
    return taken;
}

void PackedMemory::freeLast() {
    if (lastIsSmall) {
        small.pop_back();
        smallBytes -= last;
    } else {
        regions[lastRegion].used -= last;
    }
}

WeightsCache::WeightsCache(EqualWeights equal)
    : equalWeights(equal),
      provider{.context = this,
               // The key contains neither the shape of the weights nor how inputs are quantized, which affect
               // packing, so only packed weights can be compared.
               .look_up = [](void*, const xnn_weights_cache_look_up_key*) { return notFound; },
               .reserve_space = [](void* context, std::size_t size) { return from(context).reserve(size); },
               .look_up_or_insert = [](void* context, const xnn_weights_cache_look_up_key* key, void*,
                                       std::size_t size) { return from(context).insert(*key, size); },
               .is_finalized = [](void* context) { return from(context).isClosed; },
               .offset_to_addr = [](void* context, std::size_t index) -> void* {
                   return from(context).entries[index].start;
               },
               .delete_cache = [](void*) { return xnn_status_success; }} {
}

void WeightsCache::open(std::uint64_t memoryBytes) {
    left = memoryBytes;
    isClosed = false;
}

void WeightsCache::close() {
    discard();
    isClosed = true;
}

void* WeightsCache::reserve(std::size_t size) {
    discard();
    if (size > left) {
        return nullptr;
    }
    left -= size;
    reserved = memory.take(size);
    return reserved;
}

void WeightsCache::discard() {
    if (reserved != nullptr) {
        memory.freeLast();
        reserved = nullptr;
    }
}

std::size_t WeightsCache::insert(const xnn_weights_cache_look_up_key& key, std::size_t size) {
    releaseSource(key, size);
    for (std::size_t i = 0; equalWeights == EqualWeights::KeptOnce && i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        if (entry.key.seed == key.seed && entry.key.kernel == key.kernel && entry.key.bias == key.bias &&
            entry.size == size && std::memcmp(entry.start, reserved, size) == 0) {
            discard();
            return i;
        }
    }
    entries.push_back({.key = key, .start = reserved, .size = size});
    reserved = nullptr;
    total += size;
    return entries.size() - 1;
}

}  // namespace et::backends::xnnpack

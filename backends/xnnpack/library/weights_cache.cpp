#include "backends/xnnpack/library/weights_cache.h"

#include <cstring>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t notFound = SIZE_MAX;

WeightsCache& from(void* context) {
    return *static_cast<WeightsCache*>(context);
}

}  // namespace

WeightsCache::WeightsCache()
    : provider{.context = this,
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
    for (std::size_t i = 0; i < entries.size(); ++i) {
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

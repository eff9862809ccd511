#include "backends/xnnpack/weights_cache.h"

#include <cstring>

namespace et::backends::xnnpack {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t notFound = SIZE_MAX;

WeightsCache& from(void* context) {
    return *static_cast<WeightsCache*>(context);
}

}  // namespace

WeightsCache::WeightsCache()
    : provider{.context = this,
               // The key has neither the shape of the weights nor how inputs are quantized, which packing
               // depends on, so only packed weights can be compared.
               .look_up = [](void*, const xnn_weights_cache_look_up_key*) { return notFound; },
               .reserve_space = [](void* context, std::size_t size) { return from(context).reserve(size); },
               .look_up_or_insert = [](void* context, const xnn_weights_cache_look_up_key* key, void*,
                                       std::size_t size) { return from(context).insert(*key, size); },
               .is_finalized = [](void* context) { return from(context).isClosed; },
               .offset_to_addr = [](void* context, std::size_t index) -> void* {
                   return from(context).entries[index].block.start;
               },
               .delete_cache = [](void*) { return xnn_status_success; }} {
}

void WeightsCache::close() {
    reserved = {};
    isClosed = true;
}

void* WeightsCache::reserve(std::size_t size) {
    reserved = {};
    if (size > SIZE_MAX / 2) {
        return nullptr;
    }
    reserved.memory.reset(std::calloc(size + alignment + XNN_EXTRA_BYTES, 1));
    if (reserved.memory == nullptr) {
        return nullptr;
    }
    void* start = reserved.memory.get();
    std::size_t space = size + alignment;
    reserved.start = static_cast<std::byte*>(std::align(alignment, size, start, space));
    return reserved.start;
}

std::size_t WeightsCache::insert(const xnn_weights_cache_look_up_key& key, std::size_t size) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        if (entry.key.seed == key.seed && entry.key.kernel == key.kernel && entry.key.bias == key.bias &&
            entry.size == size && std::memcmp(entry.block.start, reserved.start, size) == 0) {
            reserved = {};
            return i;
        }
    }
    entries.push_back({.key = key, .block = std::move(reserved), .size = size});
    reserved = {};
    total += size;
    return entries.size() - 1;
}

}  // namespace et::backends::xnnpack

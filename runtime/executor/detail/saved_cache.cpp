#include "runtime/executor/detail/saved_cache.h"

#include <algorithm>
#include <map>
#include <utility>

namespace et::executor::detail {

std::vector<SavedCache> SavedCache::copyAll(const kernels::KvCaches& caches,
                                            const std::vector<SavedCache>* previous) {
    std::vector<SavedCache> all;
    for (const auto& [number, content] : caches.layers()) {
        const SavedCache* before = nullptr;
        if (previous != nullptr) {
            const auto known = std::ranges::find(
                *previous, number, [](const SavedCache& each) { return each.content.layer.layer; });
            before = known == previous->end() ? nullptr : &*known;
        }
        all.push_back(
            {.content = {.layer = content.layer, .positions = content.positions, .keys = {}, .values = {}},
             .keys = SavedMemory::copy(content.keys, before == nullptr ? nullptr : &before->keys),
             .values = SavedMemory::copy(content.values, before == nullptr ? nullptr : &before->values)});
    }
    return all;
}

void SavedCache::restoreAll(const std::vector<SavedCache>& saved, kernels::KvCaches& caches) {
    std::map<std::int64_t, kernels::KvCacheContent> contents;
    for (const SavedCache& each : saved) {
        kernels::KvCacheContent content = each.content;
        content.keys.resize(each.keys.size());
        content.values.resize(each.values.size());
        each.keys.restoreTo(content.keys);
        each.values.restoreTo(content.values);
        contents.insert_or_assign(content.layer.layer, std::move(content));
    }
    caches.restore(std::move(contents));
}

std::uint64_t SavedCache::countBytes(std::unordered_set<const void*>& counted) const {
    return sizeof(SavedCache) + content.positions.size() * sizeof(std::int64_t) + keys.countBytes(counted) +
           values.countBytes(counted);
}

}  // namespace et::executor::detail

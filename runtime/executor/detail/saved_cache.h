#pragma once

#include "runtime/executor/detail/saved_memory.h"
#include "runtime/kernels/kv_caches.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace et::executor::detail {

/// A copy of a layer of the caches that the host keeps.
struct SavedCache {
    kernels::KvCacheContent content;  ///< without keys and values
    SavedMemory keys;
    SavedMemory values;

    /// `previous` may be null.
    [[nodiscard]] static std::vector<SavedCache> copyAll(const kernels::KvCaches& caches,
                                                         const std::vector<SavedCache>* previous);
    static void restoreAll(const std::vector<SavedCache>& saved, kernels::KvCaches& caches);
    [[nodiscard]] std::uint64_t countBytes(std::unordered_set<const void*>& counted) const;
};

}  // namespace et::executor::detail

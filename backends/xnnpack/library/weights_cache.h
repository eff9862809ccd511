#pragma once

#include "backends/xnnpack/library/packed_memory.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// Weights packed for the library's kernels, shared by all delegates of a module whose packed bytes are
/// equal.
class WeightsCache {
  public:
    WeightsCache();
    ~WeightsCache() = default;
    WeightsCache(const WeightsCache&) = delete;
    WeightsCache& operator=(const WeightsCache&) = delete;

    [[nodiscard]] xnn_weights_cache_t handle() { return &provider; }

    /// While it is open, runtimes may be created, with at most `memoryBytes` more; while it is closed,
    /// runtimes may run.
    void open(std::uint64_t memoryBytes);
    void close();

    /// Packs `size` bytes of weights for a custom kernel while the cache is open. `fill` writes them. Null:
    /// the limit is exceeded.
    template <class Function>
    [[nodiscard]] const std::byte* pack(const xnn_weights_cache_look_up_key& key, std::size_t size,
                                        const Function& fill) {
        auto* const to = static_cast<std::byte*>(reserve(size));
        if (to == nullptr) {
            return nullptr;
        }
        fill(to);
        return entries[insert(key, size)].start;
    }

    /// Total bytes of packed weights.
    [[nodiscard]] std::uint64_t bytes() const { return total; }

  private:
    struct Entry {
        xnn_weights_cache_look_up_key key;
        std::byte* start;
        std::size_t size;
    };

    void* reserve(std::size_t size);
    void discard();  ///< Discards the reserved block.
    std::size_t insert(const xnn_weights_cache_look_up_key& key, std::size_t size);

    xnn_weights_cache_provider provider;
    std::vector<Entry> entries;
    PackedMemory memory;
    std::byte* reserved = nullptr;  ///< not yet an entry
    std::uint64_t total = 0;
    std::uint64_t left = 0;  ///< bytes left for the runtime being created
    bool isClosed = false;
};

}  // namespace et::backends::xnnpack

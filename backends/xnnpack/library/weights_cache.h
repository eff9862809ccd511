#pragma once

#include "backends/xnnpack/library/packed_memory.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// Weights in the form that the library's kernels want, packed by one delegate and shared by all of a module
/// that pack the same ones into the same bytes.
class WeightsCache {
  public:
    WeightsCache();
    ~WeightsCache() = default;
    WeightsCache(const WeightsCache&) = delete;
    WeightsCache& operator=(const WeightsCache&) = delete;

    [[nodiscard]] xnn_weights_cache_t handle() { return &provider; }

    /// While it is open, runtimes may be created, which get at most `memoryBytes` more; while it is closed,
    /// they may run.
    void open(std::uint64_t memoryBytes);
    void close();

    /// Weights in a form of ours, `size` bytes of them, while it is open. `fill` writes them. Null: that is
    /// more than is left.
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

    /// Of all packed weights.
    [[nodiscard]] std::uint64_t bytes() const { return total; }

  private:
    struct Entry {
        xnn_weights_cache_look_up_key key;
        std::byte* start;
        std::size_t size;
    };

    void* reserve(std::size_t size);
    void discard();  ///< what is reserved
    std::size_t insert(const xnn_weights_cache_look_up_key& key, std::size_t size);

    xnn_weights_cache_provider provider;
    std::vector<Entry> entries;
    PackedMemory memory;
    std::byte* reserved = nullptr;  ///< not an entry yet
    std::uint64_t total = 0;
    std::uint64_t left = 0;  ///< of the runtime that is created
    bool isClosed = false;
};

}  // namespace et::backends::xnnpack

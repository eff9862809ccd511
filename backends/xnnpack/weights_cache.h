#pragma once

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace et::backends::xnnpack {

/// Weights in the form that the library's kernels want, packed by one delegate and shared by all of a module
/// that pack the same ones into the same bytes.
class WeightsCache {
  public:
    WeightsCache();
    WeightsCache(const WeightsCache&) = delete;
    WeightsCache& operator=(const WeightsCache&) = delete;

    [[nodiscard]] xnn_weights_cache_t handle() { return &provider; }

    /// While it is open, runtimes may be created; while it is closed, they may run.
    void open() { isClosed = false; }
    void close();

    /// Of all packed weights.
    [[nodiscard]] std::uint64_t bytes() const { return total; }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    /// Zeroed memory at an address that kernels like.
    struct Block {
        std::unique_ptr<void, Free> memory;
        std::byte* start = nullptr;
    };
    struct Entry {
        xnn_weights_cache_look_up_key key;
        Block block;
        std::size_t size;
    };

    void* reserve(std::size_t size);
    std::size_t insert(const xnn_weights_cache_look_up_key& key, std::size_t size);

    xnn_weights_cache_provider provider;
    std::vector<Entry> entries;
    Block reserved;
    std::uint64_t total = 0;
    bool isClosed = false;
};

}  // namespace et::backends::xnnpack

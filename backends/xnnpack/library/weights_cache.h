#pragma once

#include "backends/xnnpack/library/page_region.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace et::backends::xnnpack {

/// Memory for packed weights, freed with this object. For small blocks, most of the cost is the system's work
/// per page, so memory beyond a small amount comes from large pages. It is not cleared: the library
/// initializes memory for packed weights before packing.
class PackedMemory {
  public:
    PackedMemory() = default;
    PackedMemory(const PackedMemory&) = delete;
    PackedMemory& operator=(const PackedMemory&) = delete;
    ~PackedMemory();

    /// Returns `size` bytes at an aligned address, followed by a few readable bytes. Null: out of memory.
    [[nodiscard]] std::byte* take(std::size_t size);
    /// Frees the last block from take(); call at most once.
    void freeLast();

  private:
    struct Region {
        PageRegion pages;
        std::size_t used = 0;
    };
    struct Free {
        void operator()(void* memory) const;
    };

    std::byte* takeSmall(std::size_t size);
    std::byte* takeLarge(std::size_t size);

    std::vector<std::unique_ptr<void, Free>> small;
    std::vector<Region> regions;
    std::size_t smallBytes = 0;
    std::size_t last = 0;        ///< bytes of the last block from take()
    std::size_t lastRegion = 0;  ///< its region, if it is large
    bool lastIsSmall = false;
};

/// Whether equal packed weights are kept once.
enum class EqualWeights : std::uint8_t { KeptOnce, KeptEach };

/// Weights packed for the library's kernels. One for each module lets its delegates share equal weights.
class WeightsCache {
  public:
    explicit WeightsCache(EqualWeights equal = EqualWeights::KeptOnce);
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

    EqualWeights equalWeights;
    xnn_weights_cache_provider provider;
    std::vector<Entry> entries;
    PackedMemory memory;
    std::byte* reserved = nullptr;  ///< not yet an entry
    std::uint64_t total = 0;
    std::uint64_t left = 0;  ///< bytes left for the runtime being created
    bool isClosed = false;
};

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/xnnpack/library/page_region.h"

#include <cstddef>
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
    std::size_t last = 0;  ///< bytes of the last block from take()
    bool lastIsSmall = false;
};

}  // namespace et::backends::xnnpack

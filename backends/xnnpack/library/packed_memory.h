#pragma once

#include "backends/xnnpack/library/page_region.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace et::backends::xnnpack {

/// Memory for packed weights, which lives as long as this. Most of what making small pieces costs is the
/// system's work for each page, so what is beyond a little comes from large pages. It holds what was there
/// before: the library itself fills what it gets for packed weights before it packs them.
class PackedMemory {
  public:
    PackedMemory() = default;
    PackedMemory(const PackedMemory&) = delete;
    PackedMemory& operator=(const PackedMemory&) = delete;
    ~PackedMemory();

    /// `size` bytes at an address that kernels like, with a few bytes behind them that may be read. Null:
    /// there is no memory.
    [[nodiscard]] std::byte* take(std::size_t size);
    /// Gives back what take() gave last; once.
    void giveBack();

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
    std::size_t last = 0;  ///< bytes that take() gave last
    bool lastIsSmall = false;
};

}  // namespace et::backends::xnnpack

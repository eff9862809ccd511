#pragma once

#include "backends/xnnpack/library/page_region.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace et::backends::xnnpack {

/// Serves the library's larger allocations, and small ones if there are many, from large pages (see
/// PageRegion): the C allocator uses small pages for them.
class LargeBlocks {
  public:
    /// Allocations of the same use share regions.
    enum class Use : std::uint8_t {
        Weights,    ///< packed next to each other; they live as long as their model
        Workspace,  ///< a single block, which grows and is then freed
    };

    /// Instance of the process; never destroyed, since operators may be freed at exit.
    static LargeBlocks& instance();

    /// Whether a block is large enough, or one of many, and not so large that memory may be insufficient.
    [[nodiscard]] static bool takes(Use use, std::size_t size, bool isOfMany = false);

    /// `alignment` is a power of 2, and at most a page. Null: out of memory.
    [[nodiscard]] void* take(Use use, std::size_t alignment, std::size_t size);
    /// Returns false if `block` was not allocated here.
    [[nodiscard]] bool give(const void* block);

  private:
    struct Region {
        PageRegion pages;
        std::size_t used = 0;
        std::size_t blocks = 0;
        Use use = Use::Weights;
    };

    std::mutex mutex;
    std::vector<Region> regions;
};

}  // namespace et::backends::xnnpack

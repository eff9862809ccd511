#pragma once

#include "backends/xnnpack/library/page_region.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace et::backends::xnnpack {

/// The larger pieces of memory that the library takes itself, and small ones where there are many, from large
/// pages (see PageRegion): the allocator of C gives them small ones.
class LargeBlocks {
  public:
    /// Whose pieces share regions.
    enum class Use : std::uint8_t {
        Weights,    ///< small ones beside each other: they live as long as their model
        Workspace,  ///< one alone, which grows and then is given back
    };

    /// Those of the process; never destroyed, since operators may be given back at its very end.
    static LargeBlocks& instance();

    /// Whether a piece is large enough to come from here, or one of many, and not so large that there may be
    /// no memory for it.
    [[nodiscard]] static bool takes(Use use, std::size_t size, bool isOfMany = false);

    /// `alignment` is a power of 2, and at most a page. Null: there is no memory.
    [[nodiscard]] void* take(Use use, std::size_t alignment, std::size_t size);
    /// False: `block` is not from here.
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

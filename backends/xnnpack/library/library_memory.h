#pragma once

#include "backends/xnnpack/library/page_region.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace et::backends::xnnpack {

/// Serves the library's larger weights, which live as long as their model, from large pages (see PageRegion):
/// the C allocator uses small pages for them. Models without delegates load and run first in about half the
/// time (benchmarks/load_process.cpp).
class LargeBlocks {
  public:
    /// Instance of the process; never destroyed, since operators may be freed at exit.
    static LargeBlocks& instance();

    /// Whether a block is large enough, and not so large that memory may be insufficient.
    [[nodiscard]] static bool takes(std::size_t size);

    /// `alignment` is a power of 2, and at most a page. Null: out of memory.
    [[nodiscard]] void* take(std::size_t alignment, std::size_t size);
    /// Returns false if `block` was not allocated here.
    [[nodiscard]] bool give(const void* block);

  private:
    struct Region {
        PageRegion pages;
        std::size_t used = 0;
        std::size_t blocks = 0;
    };

    std::mutex mutex;
    std::vector<Region> regions;
};

/// An allocator for the library that takes large aligned blocks, which are weights, from LargeBlocks. It also
/// records the workspace allocations of runtimes, since the library has no function that reports them.
[[nodiscard]] const xnn_allocator& libraryAllocator();

/// While it exists, records the workspace allocated by runtimes that are reshaped on this thread: the largest
/// aligned block. Such blocks come from the heap, because the library frees them to allocate larger ones.
class WorkspaceWatch {
  public:
    WorkspaceWatch();
    ~WorkspaceWatch();
    WorkspaceWatch(const WorkspaceWatch&) = delete;
    WorkspaceWatch& operator=(const WorkspaceWatch&) = delete;

    /// Bytes of the workspace allocation; 0: it did not grow.
    [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace et::backends::xnnpack

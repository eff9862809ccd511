#pragma once

#include <xnnpack.h>

#include <cstdint>

namespace et::backends::xnnpack {

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

#pragma once

#include <xnnpack.h>

#include <cstdint>

namespace et::backends::xnnpack {

/// The allocator for the library: the default one, which also records the workspace allocations of runtimes,
/// since the library has no function that reports them.
[[nodiscard]] const xnn_allocator& libraryAllocator();

/// While it exists, small aligned allocations of the library on this thread (its operators) come from large
/// pages if requested (see LargeBlocks).
class SmallPieces {
  public:
    explicit SmallPieces(bool fromLargePages);
    ~SmallPieces();
    SmallPieces(const SmallPieces&) = delete;
    SmallPieces& operator=(const SmallPieces&) = delete;
};

/// While it exists, records the workspace allocated by runtimes on this thread. Planning memory is the last
/// step of reshaping a runtime: it first allocates unaligned memory for its lists, which no operator does at
/// that point, and then aligned memory for the workspace if that has to grow.
class WorkspaceWatch {
  public:
    WorkspaceWatch();
    ~WorkspaceWatch();
    WorkspaceWatch(const WorkspaceWatch&) = delete;
    WorkspaceWatch& operator=(const WorkspaceWatch&) = delete;

    /// Bytes of the last workspace allocation; 0: it did not grow.
    [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace et::backends::xnnpack

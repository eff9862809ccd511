#pragma once

#include <xnnpack.h>

#include <cstdint>

namespace et::backends::xnnpack {

/// The allocator that the library gets: the usual one, which notes what runtimes take for their workspace.
/// The library has no function that tells.
[[nodiscard]] const xnn_allocator& libraryAllocator();

/// While it lives, small pieces of memory that this thread's library takes aligned, which are its operators,
/// come from large pages (see LargeBlocks) where that is wanted.
class SmallPieces {
  public:
    explicit SmallPieces(bool fromLargePages);
    ~SmallPieces();
    SmallPieces(const SmallPieces&) = delete;
    SmallPieces& operator=(const SmallPieces&) = delete;
};

/// While it lives, the workspace that this thread's runtimes get is noted. Planning memory is the last thing
/// that reshaping a runtime does: it takes plain memory for its own lists, which no operator does then, and
/// then aligned memory for the workspace where that has to grow.
class WorkspaceWatch {
  public:
    WorkspaceWatch();
    ~WorkspaceWatch();
    WorkspaceWatch(const WorkspaceWatch&) = delete;
    WorkspaceWatch& operator=(const WorkspaceWatch&) = delete;

    /// Bytes of the workspace that was taken last; 0: it did not grow.
    [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace et::backends::xnnpack

#pragma once

#include <xnnpack.h>

#include <cstdint>

namespace et::backends::xnnpack {

/// Source of the library's aligned blocks: its operators, weights and workspaces.
enum class AlignedBlocks : std::uint8_t {
    Heap,
    /// Large blocks, and small ones if there are many, come from LargeBlocks. Depends on the order in which
    /// the library allocates, which tells weights and workspaces apart.
    LargePages,
};

/// LargePages for the version whose order of allocations is known: Debian 13's snapshot 20241108. 0: unknown.
[[nodiscard]] AlignedBlocks alignedBlocksOf(std::uint32_t libraryVersion);
/// Of the version that this was built with.
[[nodiscard]] AlignedBlocks installedAlignedBlocks();

/// An allocator for the library, which also records the workspace allocations of runtimes, since the library
/// has no function that reports them.
[[nodiscard]] const xnn_allocator& libraryAllocator(AlignedBlocks source);

/// While it exists, small aligned allocations of the library on this thread (its operators) come from large
/// pages if requested and if the allocator is one for LargePages.
class SmallPieces {
  public:
    explicit SmallPieces(bool fromLargePages);
    ~SmallPieces();
    SmallPieces(const SmallPieces&) = delete;
    SmallPieces& operator=(const SmallPieces&) = delete;
};

/// While it exists, records the workspace allocated by runtimes on this thread. For LargePages: planning
/// memory is the last step of reshaping a runtime: it first allocates unaligned memory for its lists, which
/// no operator does at that point, and then aligned memory for the workspace if that has to grow. For Heap:
/// the largest aligned block.
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

#pragma once

#include "runtime/builder/memory_planner.h"

#include <cstdint>
#include <vector>

namespace et::builder::detail {

/// Rounds up to a multiple of `alignment`.
[[nodiscard]] std::uint64_t alignedTo(std::uint64_t bytes, std::uint64_t alignment);

/// Whether their lifetimes overlap.
[[nodiscard]] bool liveTogether(const MemoryBlock& left, const MemoryBlock& right);

/// Builds a plan block by block: each is placed at its lowest free offset, or at its given offset.
class BlockPlacer {
  public:
    BlockPlacer(PlanStrategy how, std::uint64_t alignTo) : strategy(how), alignment(alignTo) {}

    /// Returns the block's offset in bytes. The block must remain valid until clear() or destruction.
    std::uint64_t put(const MemoryBlock& block);
    void clear() { placed.clear(); }

  private:
    /// A block and its offset.
    struct Placed {
        std::uint64_t offset;
        const MemoryBlock* block;

        [[nodiscard]] std::uint64_t end() const { return offset + block->bytes; }
    };

    [[nodiscard]] std::uint64_t placeFor(const MemoryBlock& block) const;

    PlanStrategy strategy;
    std::uint64_t alignment;
    std::vector<Placed> placed;  ///< by offset
};

}  // namespace et::builder::detail

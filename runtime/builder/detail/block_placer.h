#pragma once

#include "runtime/builder/memory_planner.h"

#include <cstdint>
#include <vector>

namespace et::builder::detail {

/// Rounds up to a multiple of `alignment`.
[[nodiscard]] std::uint64_t alignedTo(std::uint64_t bytes, std::uint64_t alignment);

/// Whether there is a step at which both are needed.
[[nodiscard]] bool liveTogether(const MemoryBlock& left, const MemoryBlock& right);

/// Fills a plan block by block: each goes to its lowest free place, or where it was placed by hand.
class BlockPlacer {
  public:
    BlockPlacer(PlanStrategy how, std::uint64_t alignTo) : strategy(how), alignment(alignTo) {}

    /// Where the block lies, in bytes. It outlives the placer, or clear().
    std::uint64_t put(const MemoryBlock& block);
    void clear() { placed.clear(); }

  private:
    /// A block at its place.
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

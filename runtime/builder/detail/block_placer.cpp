#include "runtime/builder/detail/block_placer.h"

#include <algorithm>

namespace et::builder::detail {

std::uint64_t alignedTo(std::uint64_t bytes, std::uint64_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

bool liveTogether(const MemoryBlock& left, const MemoryBlock& right) {
    return left.firstStep <= right.lastStep && right.firstStep <= left.lastStep;
}

std::uint64_t BlockPlacer::put(const MemoryBlock& block) {
    const std::uint64_t offset = block.offset ? *block.offset : placeFor(block);
    placed.insert(std::ranges::upper_bound(placed, offset, {}, &Placed::offset),
                  {.offset = offset, .block = &block});
    return offset;
}

/// The lowest offset that does not overlap conflicting blocks.
std::uint64_t BlockPlacer::placeFor(const MemoryBlock& block) const {
    std::uint64_t offset = 0;
    for (const Placed& other : placed) {
        if (block.bytes == 0 || (strategy == PlanStrategy::Greedy && !liveTogether(block, *other.block))) {
            continue;
        }
        if (strategy == PlanStrategy::Greedy && offset + block.bytes <= other.offset) {
            break;  // all following ones start even higher
        }
        offset = std::max(offset, alignedTo(other.end(), alignment));
    }
    return offset;
}

}  // namespace et::builder::detail

#include "runtime/builder/memory_planner.h"

#include "runtime/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace et::builder {

using core::ErrorCode;
using core::Result;

namespace {

constexpr std::uint64_t limit = program::Program::maxPlannedBytes;

/// A block at its place.
struct Placed {
    std::uint64_t offset;
    const MemoryBlock* block;

    [[nodiscard]] std::uint64_t end() const { return offset + block->bytes; }
};

bool liveTogether(const MemoryBlock& left, const MemoryBlock& right) {
    return left.firstStep <= right.lastStep && right.firstStep <= left.lastStep;
}

/// Fills a plan block by block.
class Planner {
  public:
    Planner(std::span<const MemoryBlock> all, PlanStrategy how, std::uint64_t alignTo)
        : blocks(all),
          strategy(how),
          alignment(alignTo),
          plan{.offsets = std::vector<std::uint64_t>(all.size()), .bytes = 0} {}

    Result<MemoryPlan> run() {
        for (const std::size_t index : order()) {
            const MemoryBlock& block = blocks[index];
            const std::uint64_t offset = block.offset ? *block.offset : placeFor(block);
            if (block.bytes > limit || offset > limit - block.bytes) {
                return core::fail(ErrorCode::Limit,
                                  fmt::format("expected a memory plan of at most {} bytes, got "
                                              "a block of {} at {}",
                                              limit, block.bytes, offset));
            }
            plan.offsets[index] = offset;
            plan.bytes = std::max(plan.bytes, aligned(offset + block.bytes));
            insert({.offset = offset, .block = &block});
        }
        return std::move(plan);
    }

  private:
    [[nodiscard]] std::uint64_t aligned(std::uint64_t offset) const {
        return (offset + alignment - 1) / alignment * alignment;
    }

    /// Blocks placed by hand come first: the others go around them.
    [[nodiscard]] std::vector<std::size_t> order() const {
        std::vector<std::size_t> indices(blocks.size());
        std::iota(indices.begin(), indices.end(), std::size_t{0});
        std::ranges::stable_sort(indices, [&](std::size_t left, std::size_t right) {
            const bool leftByHand = blocks[left].offset.has_value();
            const bool rightByHand = blocks[right].offset.has_value();
            if (leftByHand != rightByHand) {
                return leftByHand;
            }
            return strategy == PlanStrategy::Greedy && blocks[left].bytes > blocks[right].bytes;
        });
        return indices;
    }

    /// The lowest place between the blocks in the way.
    [[nodiscard]] std::uint64_t placeFor(const MemoryBlock& block) const {
        std::uint64_t offset = 0;
        for (const Placed& other : placed) {
            if (block.bytes == 0 ||
                (strategy == PlanStrategy::Greedy && !liveTogether(block, *other.block))) {
                continue;
            }
            if (strategy == PlanStrategy::Greedy && offset + block.bytes <= other.offset) {
                break;  // those that follow start even higher
            }
            offset = std::max(offset, aligned(other.end()));
        }
        return offset;
    }

    void insert(Placed one) {
        placed.insert(std::ranges::upper_bound(placed, one.offset, {}, &Placed::offset), one);
    }

    std::span<const MemoryBlock> blocks;
    PlanStrategy strategy;
    std::uint64_t alignment;
    MemoryPlan plan;
    std::vector<Placed> placed;  ///< by offset
};

}  // namespace

Result<MemoryPlan> planMemory(std::span<const MemoryBlock> blocks, PlanStrategy strategy,
                              std::uint64_t alignment) {
    return Planner(blocks, strategy, alignment).run();
}

}  // namespace et::builder

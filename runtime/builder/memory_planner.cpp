#include "runtime/builder/memory_planner.h"

#include "runtime/builder/detail/block_placer.h"
#include "runtime/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace et::builder {

using core::ErrorCode;
using core::Result;

namespace {

constexpr std::uint64_t limit = program::Program::maxPlannedBytes;

class Planner {
  public:
    Planner(std::span<const MemoryBlock> all, PlanStrategy how, std::uint64_t alignTo)
        : blocks(all),
          strategy(how),
          alignment(alignTo),
          placer(how, alignTo),
          plan{.offsets = std::vector<std::uint64_t>(all.size()), .bytes = 0} {}

    Result<MemoryPlan> run() {
        for (const std::size_t index : order()) {
            const MemoryBlock& block = blocks[index];
            const std::uint64_t offset = placer.put(block);
            if (block.bytes > limit || offset > limit - block.bytes) {
                return core::fail(ErrorCode::Limit,
                                  fmt::format("expected a memory plan of at most {} bytes, got "
                                              "a block of {} at {}",
                                              limit, block.bytes, offset));
            }
            plan.offsets[index] = offset;
            plan.bytes = std::max(plan.bytes, detail::alignedTo(offset + block.bytes, alignment));
        }
        return std::move(plan);
    }

  private:
    /// Blocks with given offsets come first, so that the others avoid them.
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

    std::span<const MemoryBlock> blocks;
    PlanStrategy strategy;
    std::uint64_t alignment;
    detail::BlockPlacer placer;
    MemoryPlan plan;
};

}  // namespace

Result<MemoryPlan> planMemory(std::span<const MemoryBlock> blocks, PlanStrategy strategy,
                              std::uint64_t alignment) {
    return Planner(blocks, strategy, alignment).run();
}

}  // namespace et::builder

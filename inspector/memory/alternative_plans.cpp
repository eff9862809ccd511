#include "inspector/memory/memory_timeline.h"
#include "inspector/memory/replan.h"

#include <fmt/format.h>

#include <array>

namespace et::inspector {
namespace {

constexpr std::array choices{PlanChoice{builder::PlanStrategy::Greedy, builder::planAlignment},
                             PlanChoice{builder::PlanStrategy::Greedy, 1},
                             PlanChoice{builder::PlanStrategy::Greedy, 64},
                             PlanChoice{builder::PlanStrategy::Naive, builder::planAlignment}};

}  // namespace

std::span<const PlanChoice> planChoices() {
    return choices;
}

std::string_view strategyName(builder::PlanStrategy strategy) {
    return strategy == builder::PlanStrategy::Greedy ? "greedy" : "naive";
}

core::Result<AlternativePlan> planAgain(const MemoryTimeline& timeline, builder::PlanStrategy strategy,
                                        std::uint64_t alignment) {
    if (timeline.tensors.size() > maxReplannedTensors) {
        return core::fail(core::ErrorCode::Limit,
                          fmt::format("at most {} tensors can be replanned, the method has {}",
                                      maxReplannedTensors, timeline.tensors.size()));
    }
    AlternativePlan out{.strategy = strategy,
                        .alignment = alignment,
                        .offsets = std::vector<std::uint64_t>(timeline.tensors.size())};
    for (const ArenaTimeline& arena : timeline.arenas) {
        std::vector<builder::MemoryBlock> blocks;
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < timeline.tensors.size(); ++i) {
            const PlannedTensor& tensor = timeline.tensors[i];
            if (tensor.arena == arena.arena && tensor.firstStep <= tensor.lastStep) {
                blocks.push_back(
                    {.bytes = tensor.bytes, .firstStep = tensor.firstStep, .lastStep = tensor.lastStep});
                indices.push_back(i);
            }
        }
        ET_ASSIGN(const builder::MemoryPlan plan, builder::planMemory(blocks, strategy, alignment));
        out.bytes += plan.bytes;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            out.offsets[indices[i]] = plan.offsets[i];
        }
    }
    return out;
}

}  // namespace et::inspector

#include "inspector/memory/spread_plan.h"

#include "inspector/memory/memory_timeline.h"
#include "runtime/builder/memory_planner.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace et::inspector {

using program::TensorInfo;
using program::ValueId;

namespace {

const TensorInfo& infoOf(const program::Method& method, ValueId id) {
    return *method.value(id).as<TensorInfo>();
}

bool holds(const program::Method& method, const PlannedTensor& tensor, ValueId alias) {
    const TensorInfo& info = infoOf(method, alias);
    return !info.allocation ||
           (info.allocation->arena == tensor.arena && info.allocation->offset >= tensor.offset &&
            info.allocation->offset + static_cast<std::uint64_t>(info.byteSize.value_or(0)) <= tensor.end());
}

}  // namespace

core::Result<> spreadPlan(program::Method& method) {
    ET_ASSIGN(const MemoryTimeline timeline, MemoryTimeline::build(method));
    const bool isPlain =
        timeline.overlaps.empty() && std::ranges::all_of(timeline.tensors, [&](const PlannedTensor& tensor) {
            return std::ranges::all_of(tensor.aliases,
                                       [&](ValueId alias) { return holds(method, tensor, alias); });
        });
    if (!isPlain) {
        return {};
    }
    std::vector<std::uint64_t> ends(method.arenas.size());
    for (const PlannedTensor& tensor : timeline.tensors) {
        std::uint64_t& end = ends[tensor.arena.value];
        const auto move = [&](ValueId id) {
            auto& place = method.values[id.value].as<TensorInfo>()->allocation;
            if (place) {
                place->offset = end + (place->offset - tensor.offset);
            }
        };
        move(tensor.value);
        std::ranges::for_each(tensor.aliases, move);
        const std::uint64_t bytes = std::max<std::uint64_t>(tensor.bytes, 1);  // distinct addresses identify
                                                                               // the viewed tensor
        end += (bytes + builder::planAlignment - 1) / builder::planAlignment * builder::planAlignment;
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
        method.arenas[i].bytes = std::max(method.arenas[i].bytes, ends[i]);
    }
    return {};
}

}  // namespace et::inspector

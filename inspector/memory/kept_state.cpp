#include "inspector/memory/kept_state.h"

#include "inspector/memory/memory_timeline.h"

#include <algorithm>

namespace et::inspector {

core::Result<bool> keepsState(const program::Method& method) {
    ET_ASSIGN(const auto timeline, MemoryTimeline::build(method));
    return std::ranges::contains(timeline.tensors, TensorKind::State, &PlannedTensor::kind);
}

}  // namespace et::inspector

#include "inspector/memory/kept_state.h"

#include "backends/builtin.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/executor/kv_cache_plan.h"
#include "runtime/executor/no_named_data.h"

#include <algorithm>

namespace et::inspector {

core::Result<bool> keepsState(const program::Method& method) {
    ET_ASSIGN(const auto timeline, MemoryTimeline::build(method));
    return std::ranges::contains(timeline.tensors, TensorKind::State, &PlannedTensor::kind) ||
           !executor::kvCacheLayers(method, backends::describable(), executor::NoNamedData()).empty();
}

}  // namespace et::inspector

#include "inspector/memory/kept_state.h"

#include "backends/builtin.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/executor/kv_cache_plan.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace et::inspector {
namespace {

/// Descriptions of caches need no weights.
class NoNamedData final : public executor::NamedDataSource {
  public:
    [[nodiscard]] std::optional<core::Bytes> find(std::string_view) const override { return std::nullopt; }
};

}  // namespace

core::Result<bool> keepsState(const program::Method& method) {
    ET_ASSIGN(const auto timeline, MemoryTimeline::build(method));
    return std::ranges::contains(timeline.tensors, TensorKind::State, &PlannedTensor::kind) ||
           !executor::kvCacheLayers(method, backends::describable(), NoNamedData()).empty();
}

}  // namespace et::inspector

#pragma once

#include "app/output/cells.h"
#include "inspector/generate/growth.h"
#include "runtime/executor/kv_cache_plan.h"

#include <string>

namespace et::output {

/// One row per group, largest first, then one for whole calls.
[[nodiscard]] Table growthTable(const inspector::Growth& growth);
/// One line: the calls, their positions, and what grows.
[[nodiscard]] std::string growthSummary(const inspector::Growth& growth);
/// docs/reference/json.md. `caches`: KV caches outside the program.
[[nodiscard]] std::string growthJson(const inspector::Growth& growth, const std::string& phaseSource,
                                     const executor::KvCachePlan& caches);
/// The times of the largest groups over the position, with the line fitted to each, as one SVG.
[[nodiscard]] std::string growthPicture(const inspector::Growth& growth);

}  // namespace et::output

#pragma once

#include "app/output/cells.h"
#include "runtime/executor/kv_cache_plan.h"

namespace et::output {

/// KV caches outside a program, as in docs/reference/json.md.
[[nodiscard]] Dict hostCacheInfo(const executor::KvCachePlan& plan);
/// Adds them as "host_caches" if there are any.
void addHostCaches(Dict& info, const executor::KvCachePlan& plan);

}  // namespace et::output

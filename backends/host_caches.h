#pragma once

#include "runtime/core/kv_cache.h"
#include "runtime/executor/kv_cache_plan.h"
#include "runtime/program/program.h"

namespace et::backends {

/// The KV caches that a program expects from its host, including those of delegates whose payload this build
/// can describe.
[[nodiscard]] executor::KvCachePlan hostCachePlan(const program::Program& program,
                                                  const core::KvCacheSettings& settings = {});
/// The same with only the layers that a method uses.
[[nodiscard]] executor::KvCachePlan hostCachePlan(const program::Program& program,
                                                  const program::Method& method,
                                                  const core::KvCacheSettings& settings = {});

}  // namespace et::backends

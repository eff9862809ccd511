#pragma once

#include "backends/mlx/payload.h"
#include "runtime/core/kv_cache.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::backends::mlx {

/// The KV caches that a payload expects from its host: one entry for each UpdateAndAttendNode, in execution
/// order. A payload has no sizes of temporary tensors: they are computed from the nodes. Sizes that these do
/// not determine are 0. Errors: those of readPayload().
[[nodiscard]] core::Result<std::vector<core::KvCacheLayer>> hostCaches(core::Bytes payload);
[[nodiscard]] std::vector<core::KvCacheLayer> hostCaches(const Payload& payload);

}  // namespace et::backends::mlx

#pragma once

#include "runtime/core/kv_cache.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::backends::native {

/// The KV caches that a payload expects from its host: one entry for each call of kvcache.update_and_attend,
/// in execution order. Errors: those of et::native::parseProgram().
[[nodiscard]] core::Result<std::vector<core::KvCacheLayer>> hostCaches(core::Bytes payload);

}  // namespace et::backends::native

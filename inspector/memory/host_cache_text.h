#pragma once

#include "runtime/executor/kv_cache_plan.h"

#include <string>

namespace et::inspector {

/// "16 positions (maximum length of a call)"; "an unknown number of positions (--kv-max-capacity)".
[[nodiscard]] std::string capacityText(const executor::KvCachePlan& plan);
/// One line: "KV caches outside the program: 4.00 KiB for 16 positions (…), 256 B per position, 2 layers".
/// Empty if there are none.
[[nodiscard]] std::string hostCacheText(const executor::KvCachePlan& plan);

}  // namespace et::inspector

#pragma once

#include <cstdint>

namespace et::inspector {

/// "schema" of counter files: of `et-inspect counters --format json`, and of InstructionCounts.
inline constexpr std::int64_t countsSchema = 1;

}  // namespace et::inspector

#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Value of --dim: NAME=FIRST..LAST[:STEP].
struct SizeRange {
    std::string symbol;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t step = 0;  ///< 0: the default number of sizes
};
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<SizeRange> parseSizeRange(std::string_view text);
/// Sizes to measure: every step, or 17 evenly spaced ones; includes both ends.
[[nodiscard]] std::vector<std::int64_t> sizesOf(const SizeRange& range);

}  // namespace et::tasks

#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

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
/// The text that parseSizeRange() reads.
[[nodiscard]] std::string sizeRangeText(const SizeRange& range);

}  // namespace et::tasks

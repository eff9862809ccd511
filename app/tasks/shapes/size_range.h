#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What --dim says: NAME=FIRST..LAST[:STEP].
struct SizeRange {
    std::string symbol;
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t step = 0;  ///< 0: as many sizes as usual
};
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<SizeRange> sizeRangeOf(std::string_view text);
/// The sizes that are measured: every step, or 17 with like distances; both ends among them.
[[nodiscard]] std::vector<std::int64_t> sizesOf(const SizeRange& range);

}  // namespace et::app

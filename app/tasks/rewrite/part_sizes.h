#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Sizes of a part's inputs, in order; nothing: not a tensor, or unchanged.
using PartSizes = std::vector<std::optional<std::vector<std::int64_t>>>;

/// Converts to "1x17,-,4", with a word per input, and back. Errors: InvalidArgument (not a valid list).
[[nodiscard]] std::string partSizesText(const PartSizes& sizes);
[[nodiscard]] core::Result<PartSizes> parsePartSizes(std::string_view text);

}  // namespace et::tasks

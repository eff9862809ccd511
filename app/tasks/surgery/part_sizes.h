#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Sizes of the inputs of a part, in their order; nothing: no tensor, or as it is.
using PartSizes = std::vector<std::optional<std::vector<std::int64_t>>>;

/// "1x17,-,4", and back: a word for each input. Errors: InvalidArgument (no such list).
[[nodiscard]] std::string partSizesText(const PartSizes& sizes);
[[nodiscard]] core::Result<PartSizes> parsePartSizes(std::string_view text);

}  // namespace et::app

#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::backends::lowering {

/// Permutes row-major elements of `sizes`: dimension i of the result is dimension order[i] of `elements`,
/// whose number of bytes matches the sizes.
[[nodiscard]] std::vector<std::byte> permuteElements(core::Bytes elements, std::size_t elementBytes,
                                                     std::span<const std::int64_t> sizes,
                                                     std::span<const std::uint8_t> order);

}  // namespace et::backends::lowering

#pragma once

#include "inspector/numeric_gap/metrics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// Statistics per channel: of the elements that share an index in dimension `dim`, which must be one of
/// `sizes`. `numbers` are row-major, and their count must match the sizes.
[[nodiscard]] std::vector<SideStatistics> channelStatistics(std::span<const double> numbers,
                                                            std::span<const std::int64_t> sizes,
                                                            std::size_t dim);

}  // namespace et::inspector

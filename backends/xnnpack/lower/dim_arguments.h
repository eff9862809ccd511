#pragma once

#include "etrecord/exported_graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Dimension arguments of nodes, counted from the front.
namespace et::backends::xnnpack {

/// Dimension `dim` of `rank`; negative values count from the end. Nothing if out of range.
[[nodiscard]] std::optional<std::size_t> frontDim(std::int64_t dim, std::size_t rank);

/// Dimension order that permute_copy, transpose_copy or t_copy gives to its input of this rank; nothing for
/// all other nodes. `rank` 0: any rank, to test whether the node is one of these.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> permutedDims(const etrecord::Node& node,
                                                                    std::size_t rank);

}  // namespace et::backends::xnnpack

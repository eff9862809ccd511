#pragma once

#include "etrecord/exported_graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// What nodes say of dimensions, counted from the front.
namespace et::backends::xnnpack {

/// Dimension `dim` of `rank`, which counts from the end where it is negative; nothing: there is none.
[[nodiscard]] std::optional<std::size_t> frontDim(std::int64_t dim, std::size_t rank);

/// The order that a node gives the dimensions of its input of that rank: of permute_copy, transpose_copy and
/// t_copy, nothing for all others. `rank` 0: whatever it is, to know whether the node is one of them.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> permutedDims(const etrecord::Node& node,
                                                                    std::size_t rank);

}  // namespace et::backends::xnnpack

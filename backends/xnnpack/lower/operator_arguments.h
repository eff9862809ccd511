#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/xnnpack/payload/node_traits.h"
#include "backends/xnnpack/payload/payload.h"
#include "etrecord/exported_graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// Arguments of the graph's operators, as converters need them.
namespace et::backends::xnnpack {

/// Operands of a product, as values of the graph.
struct ProductOperands {
    std::string_view input, weight, bias;  ///< `bias` may be empty
    bool columns = false;                  ///< for a matrix: outputs are its columns instead of rows
    std::size_t outputDim = 0;             ///< dimension of the weight that indexes outputs
};

/// Operands of linear, addmm, mm and convolution. For a transposed matrix, returns the matrix before
/// transposition.
[[nodiscard]] ProductOperands productOperands(const lowering::EdgeMethod& method, const etrecord::Node& node);

/// Whether the library fuses a clamp into preceding nodes of this kind.
[[nodiscard]] bool fusesClamp(NodeKind kind);
/// Range of a clamping node: relu, hardtanh, clamp; nothing for all others.
[[nodiscard]] std::optional<OutputRange> clampRange(const etrecord::Node& node);

using Numbers = std::vector<std::int64_t>;

/// Two numbers; a single one in the node is used for both. Nothing for other counts, or for none without a
/// default.
[[nodiscard]] std::optional<Numbers> pairArgument(const etrecord::Node& node, std::string_view name,
                                                  const Numbers& otherwise);

[[nodiscard]] HeightWidth both(const Numbers& numbers);
/// Equal padding on opposite sides.
[[nodiscard]] ImagePadding around(const Numbers& numbers);

/// Dimension `dim` of `rank`; negative values count from the end. Nothing if out of range.
[[nodiscard]] std::optional<std::size_t> frontDim(std::int64_t dim, std::size_t rank);

/// Dimension order that permute_copy, transpose_copy or t_copy gives to its input of this rank; nothing for
/// all other nodes. `rank` 0: any rank, to test whether the node is one of these.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> permutedDims(const etrecord::Node& node,
                                                                    std::size_t rank);

}  // namespace et::backends::xnnpack

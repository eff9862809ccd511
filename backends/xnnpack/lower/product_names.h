#pragma once

#include "backends/lowering/edge_method.h"

#include <cstddef>
#include <string_view>

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

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/lowering/edge_method.h"

#include <cstddef>
#include <string_view>

namespace et::backends::xnnpack {

/// What a product multiplies, by the values of the graph.
struct ProductOperands {
    std::string_view input, weight, bias;  ///< bias may be empty
    bool columns = false;                  ///< of a matrix: it has a column for each output, not a row
    std::size_t outputDim = 0;             ///< dimension of the weight that has the outputs
};

/// Of linear, addmm, mm and convolution. A matrix that a permutation turns around is taken as it is before.
[[nodiscard]] ProductOperands productOperands(const lowering::EdgeMethod& method, const etrecord::Node& node);

}  // namespace et::backends::xnnpack

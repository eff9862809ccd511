#pragma once

#include "runtime/core/tensor.h"

#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// A matrix as integers of -8 to 7 with a scale a block of each row.
struct BlockWeights {
    std::vector<std::int8_t> integers;  ///< row-major
    std::vector<float> scales;          ///< of each row its blocks
};

/// Symmetric, as torchao's choose_qparams_affine() and quantize_affine(). `block` divides the rows of a
/// float32 matrix.
[[nodiscard]] BlockWeights quantizedBlocks(const core::Tensor& matrix, std::int64_t block);

}  // namespace et::backends::xnnpack

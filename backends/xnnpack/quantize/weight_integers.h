#pragma once

#include "backends/reference/reference_value.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Quantization of weights to integers.
namespace et::backends::xnnpack {

/// Scales of one weight, one per index along its axis.
using ChannelScales = std::vector<float>;

/// Symmetric scales of a float32 weight, one per index along an axis.
[[nodiscard]] ChannelScales channelScales(const core::Tensor& weight, std::size_t axis);
/// Quantizes the weight to int8 with these scales, row-major.
[[nodiscard]] std::vector<std::int8_t> quantizedChannels(const core::Tensor& weight, std::size_t axis,
                                                         std::span<const float> scales);

/// Quantizes to this many bits and back, with a scale per index along an axis, or a single scale without an
/// axis.
[[nodiscard]] reference::ReferenceTensor roundedChannels(const core::Tensor& weight,
                                                         std::optional<std::size_t> axis, int bits);

/// A matrix as integers in [-8, 7] with a scale per block of each row.
struct BlockWeights {
    std::vector<std::int8_t> integers;  ///< row-major
    std::vector<float> scales;          ///< row by row, one per block
};

/// Quantizes symmetrically, like torchao's choose_qparams_affine() and quantize_affine(). `block` divides the
/// rows of a float32 matrix.
[[nodiscard]] BlockWeights quantizedBlocks(const core::Tensor& matrix, std::int64_t block);

}  // namespace et::backends::xnnpack

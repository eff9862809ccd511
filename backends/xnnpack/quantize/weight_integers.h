#pragma once

#include "backends/reference/reference_value.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Weights on their way to integers.
namespace et::backends::xnnpack {

/// Scales of one weight, one along its axis.
using ChannelScales = std::vector<float>;

/// Symmetric scales of a float32 weight along an axis, each of all that it has at one place of it.
[[nodiscard]] ChannelScales channelScales(const core::Tensor& weight, std::size_t axis);
/// The weight as int8 with these scales, row-major.
[[nodiscard]] std::vector<std::int8_t> quantizedChannels(const core::Tensor& weight, std::size_t axis,
                                                         std::span<const float> scales);

/// The numbers that integers of so many bits would stand for, with a scale each place along an axis, or with
/// one scale for all where there is no axis.
[[nodiscard]] reference::ReferenceTensor roundedChannels(const core::Tensor& weight,
                                                         std::optional<std::size_t> axis, int bits);

/// A matrix as integers of -8 to 7 with a scale a block of each row.
struct BlockWeights {
    std::vector<std::int8_t> integers;  ///< row-major
    std::vector<float> scales;          ///< of each row its blocks
};

/// Symmetric, as torchao's choose_qparams_affine() and quantize_affine(). `block` divides the rows of a
/// float32 matrix.
[[nodiscard]] BlockWeights quantizedBlocks(const core::Tensor& matrix, std::int64_t block);

}  // namespace et::backends::xnnpack

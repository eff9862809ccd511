#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/torchao/packed_weights.h"

#include <cstdint>
#include <span>

namespace et::kernels::torchao {

/// torchao::_linear_8bit_act_Nbit_weight.out: activations [m, k] (float32) times packed weights [n, k]. Each
/// row of activations is quantized to 8 bits, asymmetrically over its range including 0; sums of a group are
/// integers. Errors: InvalidArgument, Unsupported, Limit.
[[nodiscard]] core::Result<> multiplyLowBits(KernelContext& context, int bits, const Tensor& activations,
                                             const Tensor& packedWeights, std::int64_t groupSize,
                                             std::int64_t outputs, std::int64_t depth, Tensor& out);

/// Rows [count, depth] times packed weights, in float32.
struct FloatRows {
    const float* rows;
    std::size_t count;
    float* to;  ///< [count, outputs]
};

/// Products of several rows with weights each, of the same shape. Errors: Limit.
struct FloatProduct {
    PackedWeights weights;
    FloatRows rows;
};
[[nodiscard]] core::Result<> multiplyFloats(KernelContext& context, std::span<const FloatProduct> products);

}  // namespace et::kernels::torchao

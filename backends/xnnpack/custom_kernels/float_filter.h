#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/payload/payload.h"

namespace et::backends::xnnpack {

/// Whether a convolution (or transposed convolution) has only fp32 values, constant weights and bias, a
/// non-constant input, and no further work that the library would do.
[[nodiscard]] bool hasFloatFilter(const Payload& payload, const PayloadNode& node);

/// Elements of an fp32 constant; null for noValue.
[[nodiscard]] const float* constantFloats(const CustomNode::Source& source, ValueIndex value);

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/xnnpack/own/own_node.h"
#include "backends/xnnpack/payload/payload.h"

namespace et::backends::xnnpack {

/// Whether a node of a convolution, also a transposed one, has values of fp32 alone, of which the weights and
/// the bias are constant and the input is not, and nothing that the library would do besides.
[[nodiscard]] bool hasFloatFilter(const Payload& payload, const PayloadNode& node);

/// The numbers of a constant of fp32, or null for noValue.
[[nodiscard]] const float* constantFloats(const OwnNode::Source& source, ValueIndex value);

}  // namespace et::backends::xnnpack

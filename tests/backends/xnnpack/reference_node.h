#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace et::test {

/// Elements of a value; integers if it is quantized.
using Elements = std::vector<double>;

/// Computes one node with plain loops: fp32 nodes in double precision, quantized nodes with the integer and
/// single-precision steps that XNNPACK documents, so that these are bit-exact. `values` contains the inputs,
/// by ValueIndex. Empty for unsupported kinds.
[[nodiscard]] std::optional<Elements> referenceNode(const backends::xnnpack::Payload& payload,
                                                    const backends::xnnpack::ConstantData& constants,
                                                    const backends::xnnpack::Shapes& shapes,
                                                    const std::vector<Elements>& values,
                                                    const backends::xnnpack::PayloadNode& node);

/// Reads `count` elements of `type` from memory.
[[nodiscard]] Elements elementsOf(backends::xnnpack::Datatype type, const void* data, std::size_t count);

}  // namespace et::test

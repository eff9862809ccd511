#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace et::test {

/// Elements of a value; integers where it is quantized.
using Elements = std::vector<double>;

/// Computes one node with plain loops, in double precision where it is fp32, in the integers and
/// single-precision steps that the library documents where it is quantized, so that those come out the same
/// in every bit. `values` has the inputs, by ValueIndex. Nothing for kinds that it does not know.
[[nodiscard]] std::optional<Elements> referenceNode(const backends::xnnpack::Payload& payload,
                                                    const backends::xnnpack::ConstantData& constants,
                                                    const backends::xnnpack::Shapes& shapes,
                                                    const std::vector<Elements>& values,
                                                    const backends::xnnpack::PayloadNode& node);

/// The elements of `count` numbers of `type` in memory.
[[nodiscard]] Elements elementsOf(backends::xnnpack::Datatype type, const void* data, std::size_t count);

}  // namespace et::test

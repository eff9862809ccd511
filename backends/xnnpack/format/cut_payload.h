#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Whether tensors of a program can hold values of this datatype.
[[nodiscard]] bool isHeldByTensors(Datatype type);

/// Some nodes of a payload as a separate payload, whose arguments are `inputs`, then `outputs`.
struct PayloadCut {
    Payload payload;  ///< borrows the constants of the original
    std::vector<ValueIndex> inputs;
    std::vector<ValueIndex> outputs;  ///< values of the original, like `inputs`
    std::vector<ValueIndex> origins;  ///< value of the original, by value of the part
};

/// Extracts nodes (ascending, without duplicates), including preceding nodes whose values no tensor can hold
/// (those quantized at run time). Outputs are results that other nodes read, and outputs of the original.
/// Errors: InvalidArgument (unknown nodes), Unsupported (an output that no tensor can hold).
[[nodiscard]] core::Result<PayloadCut> cutNodes(const Payload& whole, std::span<const std::size_t> nodes);

/// Extracts the nodes that compute some values, which are the outputs in this order. Errors: those of
/// cutNodes().
[[nodiscard]] core::Result<PayloadCut> cutValues(const Payload& whole, std::span<const ValueIndex> values);

}  // namespace et::backends::xnnpack

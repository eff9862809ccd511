#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Whether tensors of a program can hold values of this datatype.
[[nodiscard]] bool isHeldByTensors(Datatype type);

/// Some nodes of a payload as a payload of their own, whose arguments are `inputs`, then `outputs`.
struct PayloadCut {
    Payload payload;  ///< borrows the constants of the whole
    std::vector<ValueIndex> inputs;
    std::vector<ValueIndex> outputs;  ///< likewise of the whole
    std::vector<ValueIndex> origins;  ///< by value of the part: which one of the whole it is
};

/// Takes nodes (ascending, each once) out, with the nodes before that make values which no tensor holds
/// (those that are quantized at run time). What others read of their results, and what the whole puts out,
/// are the outputs. Errors: InvalidArgument (no such nodes), Unsupported (a value goes out that no tensor
/// holds).
[[nodiscard]] core::Result<PayloadCut> cutNodes(const Payload& whole, std::span<const std::size_t> nodes);

/// The nodes that some values need, which they put out in this order. Errors: as cutNodes().
[[nodiscard]] core::Result<PayloadCut> cutValues(const Payload& whole, std::span<const ValueIndex> values);

}  // namespace et::backends::xnnpack

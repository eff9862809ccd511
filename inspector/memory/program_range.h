#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <span>
#include <vector>

// Extraction of a part of a method as a separate method.
namespace et::inspector {

/// Instructions of a single-chain method, both ends inclusive.
struct InstructionRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Extracted instructions with their inputs and outputs.
struct MethodPart {
    program::Method method;  ///< values keep their ids and memory; borrows from the whole method
    /// Values required beforehand: read in the part and written before it (or inputs of the whole).
    std::vector<program::ValueId> inputs;
    /// Tensors written in the part and read outside it, and outputs of the whole. A part without them has the
    /// numbers that are read outside it.
    std::vector<program::ValueId> outputs;
    std::size_t inputsAt = 0;  ///< all inputs are computed by the instructions before this one
};

/// Finds the instructions outside `kept` that compute numbers (sizes, positions) which `kept` reads, and the
/// numbers that these read. A part needs them: a number that is an input of a method has the value of the
/// export. Ascending. Errors: as cutInstructions().
[[nodiscard]] core::Result<std::vector<std::size_t>> numberProducers(const program::Method& method,
                                                                     std::span<const std::size_t> kept);

/// Cuts instructions (ascending, unique) out of a method. Constants and state not modified before them are
/// included; modified state becomes an input, as do values computed in gaps. Errors: InvalidArgument (no such
/// instructions), Unsupported (several chains; a jump into the part or out of it, or over some of its
/// instructions if it has gaps; an input or output is a list of tensors or neither a tensor nor a number, or
/// has different contents at different times: the message names it), Limit (as MemoryTimeline::build()).
[[nodiscard]] core::Result<MethodPart> cutInstructions(const program::Method& method,
                                                       std::span<const std::size_t> kept);

/// Builds a method of the instructions before `first`, with the inputs of the whole and `wanted` as outputs;
/// running it yields the inputs of a part. Errors: as cutInstructions().
[[nodiscard]] core::Result<program::Method> cutPrefix(const program::Method& method, std::size_t first,
                                                      const std::vector<program::ValueId>& wanted);

}  // namespace et::inspector

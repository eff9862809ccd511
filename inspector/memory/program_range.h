#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <span>
#include <vector>

// A part of a method as a method of its own.
namespace et::inspector {

/// Instructions of the only chain of a method, both included.
struct InstructionRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Instructions that were cut out, and what goes into them and comes out.
struct MethodPart {
    program::Method method;  ///< values keep their ids and places; borrows from the whole
    /// Values that have to be there before: read in the part, written before it (or inputs of the whole).
    std::vector<program::ValueId> inputs;
    /// Values that are written in the part and read outside of it, or are outputs of the whole.
    std::vector<program::ValueId> outputs;
    std::size_t inputsAt = 0;  ///< the instructions before this one make all inputs
};

/// Cuts a range out of a method. Constants and state that nothing before the range changes come along; state
/// that something changes becomes an input. Errors: InvalidArgument (no such range), Unsupported (several
/// chains; a jump into the range or out of it; a list of tensors, or a value that is no tensor and no number,
/// goes in or out: says which), Limit (as MemoryTimeline::build()).
[[nodiscard]] core::Result<MethodPart> cutRange(const program::Method& method, InstructionRange range);

/// The same with some of the instructions (ascending, each once), of which others may stand in between: what
/// those compute goes in. Errors: as cutRange(); Unsupported also where a value that goes in or out is
/// another one at another time, and where the method jumps among instructions with gaps.
[[nodiscard]] core::Result<MethodPart> cutInstructions(const program::Method& method,
                                                       std::span<const std::size_t> kept);

/// The instructions before `first`, with the inputs of the whole, which put out `wanted`: run, they give what
/// goes into a part. Errors: as cutRange().
[[nodiscard]] core::Result<program::Method> cutPrefix(const program::Method& method, std::size_t first,
                                                      const std::vector<program::ValueId>& wanted);

}  // namespace et::inspector

#pragma once

#include "runtime/core/result.h"
#include "runtime/program/instruction_access.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace et::tasks {

/// How the instructions of a method use its values, as needed for a rewrite.
struct MethodValues {
    std::vector<program::InstructionAccess> accesses;  ///< by instruction
    std::vector<std::vector<std::size_t>> writers;     ///< by value: instructions, ascending
    std::vector<bool> computed;                        ///< by value: written by an instruction
    /// By value: it keeps its memory between runs, is written several times, or shares memory in ways that
    /// the program does not describe; instructions that write it are not changed.
    std::vector<bool> pinned;
    /// Views without copies, which exporters omit, by the viewed value.
    std::map<std::uint32_t, std::vector<program::ValueId>> views;
    std::vector<bool> isInput;   ///< by value
    std::vector<bool> isOutput;  ///< by value; includes items of lists

    /// Requires a method with one chain whose tensors each have their own memory (inspector::spreadPlan()).
    /// Errors: those of MemoryTimeline::build().
    [[nodiscard]] static core::Result<MethodValues> of(const program::Method& method);
};

}  // namespace et::tasks

#pragma once

#include "inspector/join/instruction_access.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace et::app {

/// What the instructions of a method do with its values, as far as a rewriting has to know.
struct MethodValues {
    std::vector<inspector::detail::InstructionAccess> accesses;  ///< by instruction
    std::vector<std::vector<std::size_t>> writers;               ///< by value: instructions, ascending
    std::vector<bool> computed;                                  ///< by value: some instruction writes it
    /// By value: it keeps its memory from run to run, is written several times or shares memory in ways that
    /// the program does not tell: instructions that write it stay as they are.
    std::vector<bool> pinned;
    /// Views that copy nothing, which exporters leave out, by the value that is viewed.
    std::map<std::uint32_t, std::vector<program::ValueId>> views;
    std::vector<bool> isInput;   ///< by value
    std::vector<bool> isOutput;  ///< by value; items of lists as well

    /// Of a method with one chain whose tensors have memory of their own (inspector::spreadPlan()). Errors:
    /// as MemoryTimeline::build().
    [[nodiscard]] static core::Result<MethodValues> of(const program::Method& method);
};

}  // namespace et::app

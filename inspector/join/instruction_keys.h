#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <utility>

namespace et::inspector::join::detail {

using InstructionKey = std::pair<std::int64_t, core::InstructionId>;  ///< chain, instruction

/// Whether a block ran the method. Without a record this is unknown and assumed if `onlyMethod` is set.
[[nodiscard]] bool isOf(const Block& block, const program::Method& method, bool onlyMethod);

/// False for runtime events outside instructions (Method::execute, loading).
[[nodiscard]] bool isOfInstruction(const Event& event);

/// The instruction at that position; null if the program has none.
[[nodiscard]] const program::Instruction* instructionAt(const program::Method& method,
                                                        const InstructionKey& place);

}  // namespace et::inspector::join::detail

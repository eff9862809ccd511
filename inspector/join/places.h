#pragma once

#include "inspector/join/event_blocks.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <utility>

namespace et::inspector::detail {

using Place = std::pair<std::int64_t, core::InstructionId>;  ///< chain, instruction

/// Whether a block ran the method: without a record nothing says so, and it did when it is the `onlyMethod`.
[[nodiscard]] bool isOf(const Block& block, const program::Method& method, bool onlyMethod);

/// False for what the runtime does around instructions (Method::execute, loading).
[[nodiscard]] bool isOfInstruction(const Event& event);

/// The instruction of that place; null where the program has none.
[[nodiscard]] const program::Instruction* instructionAt(const program::Method& method, const Place& place);

}  // namespace et::inspector::detail

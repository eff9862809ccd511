#pragma once

#include "runtime/program/method.h"

#include <string>

namespace et::inspector::detail {

/// What people call an instruction: the operator ("aten::add.out"), the backend ("VulkanBackend"), or the
/// format's name of what is neither ("MoveCall").
[[nodiscard]] std::string instructionLabel(const program::Method& method,
                                           const program::Instruction& instruction);

}  // namespace et::inspector::detail

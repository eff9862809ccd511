#pragma once

#include "runtime/program/method.h"

#include <string>

namespace et::inspector::names::detail {

/// Display name of an instruction: the operator ("aten::add.out"), the backend ("VulkanBackend"), or the
/// format's name for other instructions ("MoveCall").
[[nodiscard]] std::string instructionLabel(const program::Method& method,
                                           const program::Instruction& instruction);

}  // namespace et::inspector::names::detail

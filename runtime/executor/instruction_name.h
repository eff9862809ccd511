#pragma once

#include "runtime/program/method.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace et::executor {

/// Text of a method's value: "3", "[1, 0]", "None"; tensors by id ("v12"). Long lists are truncated, with the
/// number of items.
[[nodiscard]] std::string valueText(const program::Method& method, program::ValueId id);

/// Name of an argument in the operator's schema: "stride" for argument 3 of "aten::convolution.out". A
/// program does not contain the names; empty if unknown, for outs, and for a "self" without other arguments.
[[nodiscard]] std::string_view argumentName(std::string_view op, std::size_t argument);

/// Name of an argument in a blank-separated list; empty past its end.
[[nodiscard]] std::string_view nameInList(std::string_view names, std::size_t argument);

/// "argument 3 (stride)", or "argument 3" without a name.
[[nodiscard]] std::string argumentLabel(std::size_t argument, std::string_view name);

/// Display name of an instruction: the operator ("aten::add.out"), the backend ("VulkanBackend"), or the
/// format's name for other instructions ("MoveCall").
[[nodiscard]] std::string instructionLabel(const program::Method& method,
                                           const program::Instruction& instruction);

}  // namespace et::executor

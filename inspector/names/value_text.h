#pragma once

#include "runtime/program/method.h"

#include <string>

namespace et::inspector::detail {

/// A value of a method as people write it: "3", "[1, 0]", "None"; tensors by their number ("v12"). Long lists
/// are cut, saying how many items they have.
[[nodiscard]] std::string valueText(const program::Method& method, program::ValueId id);

}  // namespace et::inspector::detail

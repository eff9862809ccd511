#pragma once

#include "runtime/program/method.h"

#include <string>

namespace et::inspector::names::detail {

/// Text of a method's value: "3", "[1, 0]", "None"; tensors by id ("v12"). Long lists are truncated, with the
/// number of items.
[[nodiscard]] std::string valueText(const program::Method& method, program::ValueId id);

}  // namespace et::inspector::names::detail

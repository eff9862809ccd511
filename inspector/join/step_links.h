#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <set>
#include <utility>

namespace et::inspector {

/// From an instruction of a method's first chain that wrote a value last to each that reads it: positions in
/// the chain, in order. Of a method that a damaged file blows up: those that were found before.
using StepLinks = std::set<std::pair<std::int32_t, std::int32_t>>;
[[nodiscard]] StepLinks stepLinks(const program::Method& method);

}  // namespace et::inspector

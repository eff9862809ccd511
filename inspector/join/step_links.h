#pragma once

#include "runtime/program/method.h"

#include <cstdint>
#include <set>
#include <utility>

namespace et::inspector {

/// Pairs of positions in a method's first chain, ordered: the last instruction that wrote a value and each
/// that reads it. If a damaged file exceeds the limits, contains only the pairs found until then.
using StepLinks = std::set<std::pair<std::int32_t, std::int32_t>>;
[[nodiscard]] StepLinks stepLinks(const program::Method& method);

}  // namespace et::inspector

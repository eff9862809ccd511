#pragma once

#include "inspector/comparison/comparison.h"

#include <string>

namespace et::inspector {

/// Summarizes the comparison of a method in one line: direction and size of the change, number of operators
/// that changed in the same direction, and the operator that causes at least half of it. Example: "B is 2.1
/// times slower, 345.2 µs → 716.0 µs; 68 of 71 operators slower, no single cause". Times are in nanoseconds,
/// or cycles if `cycles`.
[[nodiscard]] std::string headline(const MethodComparison& method, bool cycles = false);

/// Returns the headlines of all methods, one a line; with several methods each starts with its name.
[[nodiscard]] std::string headline(const Comparison& comparison);

}  // namespace et::inspector

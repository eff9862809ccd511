#pragma once

#include "inspector/comparison/comparison.h"

#include <string>

namespace et::inspector {

/// What the measurements tell of why an operator takes another time on side B, in one line: it is not on
/// both sides, another kernel or a delegate runs it, every run changed, or only some did. Empty where it has
/// no verdict, or no samples tell.
[[nodiscard]] std::string causeOf(const ComparisonRow& row);

}  // namespace et::inspector

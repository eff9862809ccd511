#pragma once

#include "inspector/comparison/comparison.h"

#include <string>

namespace et::inspector {

/// Explains in one line why an operator's time differs on side B, as far as measurements show: it exists on
/// one side only, another kernel or a delegate runs it, every run changed, or only some did. Empty if there
/// is no verdict or no samples.
[[nodiscard]] std::string causeOf(const ComparisonRow& row);

}  // namespace et::inspector

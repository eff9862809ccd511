#pragma once

#include "inspector/numeric_gap/numeric_gap.h"

#include <memory>
#include <span>

namespace et::tasks {

/// The gaps of a program, one per set of inputs.
using Gaps = std::span<const std::shared_ptr<const inspector::NumericGap>>;

}  // namespace et::tasks

#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

namespace et::inspector {

/// Gives each planned tensor separate memory, so that parts of the method may extend its lifetime; views stay
/// inside their base tensors. replan() packs the tensors again. Does not change a method in which tensors
/// overlap, or that views access in ways the program does not specify. Errors: Limit (as
/// MemoryTimeline::build()).
[[nodiscard]] core::Result<> spreadPlan(program::Method& method);

}  // namespace et::inspector

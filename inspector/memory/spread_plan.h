#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

namespace et::inspector {

/// Gives each planned tensor memory of its own, so that parts of the method may let it live longer than the
/// whole does; views stay in what they are views of. replan() packs them again. Leaves a method alone in
/// which tensors destroy each other, or that views reach in ways that the program does not tell. Errors:
/// Limit (as MemoryTimeline::build()).
[[nodiscard]] core::Result<> spreadPlan(program::Method& method);

}  // namespace et::inspector

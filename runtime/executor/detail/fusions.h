#pragma once

#include "runtime/executor/detail/steps.h"
#include "runtime/executor/detail/values.h"
#include "runtime/program/method.h"

namespace et::executor::detail {

/// Finds steps that can be computed together (Step::fused). The result of each is read only by the next step
/// and has no alias in the same memory, and the result of the last does not overlap any of their inputs.
/// Methods with control flow have no fused steps.
void findFusions(const program::Method& method, MethodValues& values, Steps& steps);

}  // namespace et::executor::detail

#pragma once

#include "runtime/executor/detail/steps.h"
#include "runtime/executor/detail/values.h"
#include "runtime/program/method.h"

namespace et::executor::detail {

/// Finds steps that may be computed together (Step::fused). What one of them writes is read by the next one
/// alone, not even under another name in the same memory, and what the last one writes lies over nothing that
/// they read. Methods with control flow have none.
void findFusions(const program::Method& method, MethodValues& values, Steps& steps);

}  // namespace et::executor::detail

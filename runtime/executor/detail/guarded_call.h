#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/detail/module_state.h"
#include "runtime/executor/detail/steps.h"
#include "runtime/executor/memory_guard.h"

#include <functional>
#include <random>

namespace et::executor::detail {

/// The call of a kernel, or of the function that prepares it.
[[nodiscard]] GuardedCall kernelCall(const Step& step, GuardedCall::Kind kind);
[[nodiscard]] GuardedCall delegateCall(Step& step, const ModuleState& module);

/// Lets the guard call `run`, each time with the same state of `random`.
[[nodiscard]] core::Result<> runGuarded(MethodGuard& guard, const GuardedCall& call, std::mt19937_64& random,
                                        const std::function<core::Result<>()>& run);

}  // namespace et::executor::detail

#pragma once

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/sandbox/sandbox.h"
#include "runtime/core/result.h"

namespace et::cli {

/// Calls confine(), and warns if the sandbox is incomplete.
[[nodiscard]] core::Result<> confineOrWarn(Console& console, tasks::SandboxMode mode,
                                           const tasks::SandboxOutputs& outputs);
/// Likewise, with the model's sandbox options.
[[nodiscard]] core::Result<> confineModel(Console& console, const tasks::ModelOptions& model,
                                          const tasks::SandboxOutputs& outputs);

}  // namespace et::cli

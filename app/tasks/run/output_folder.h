#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <filesystem>
#include <string_view>

namespace et::app {

/// Writes the method's outputs as they are now to `folder`, which is made if it is not there: output_0.npy (a
/// list: output_0_0.npy, output_0_1.npy, ...) for tensors, and `summary` as run.json, which has all other
/// values. Errors: Io, Unsupported (a dtype that NumPy lacks).
[[nodiscard]] core::Result<> writeOutputs(executor::Method& method, std::string_view summary,
                                          const std::filesystem::path& folder);

}  // namespace et::app

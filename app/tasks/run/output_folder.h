#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <filesystem>
#include <string_view>

namespace et::tasks {

/// Writes the method's current outputs to `folder`, creating it if needed: output_0.npy (a list:
/// output_0_0.npy, output_0_1.npy, ...) for tensors, and `summary` as run.json, which contains all other
/// values. Errors: Io, Unsupported (a dtype that NumPy lacks).
[[nodiscard]] core::Result<> writeOutputs(executor::Method& method, std::string_view summary,
                                          const std::filesystem::path& folder);

}  // namespace et::tasks

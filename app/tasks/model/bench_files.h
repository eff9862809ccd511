#pragma once

#include "app/tasks/model/model_options.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::tasks {

/// Returns the programs and bundled programs among `files`, in order; weights and an ETRecord go to
/// `options`. A file that cannot be read is treated as a program, which reports the error. Errors:
/// InvalidArgument (no program, two ETRecords, a file of another kind).
[[nodiscard]] core::Result<std::vector<std::filesystem::path>> sortBenchFiles(
    const std::vector<std::filesystem::path>& files, ModelOptions& options);

}  // namespace et::tasks

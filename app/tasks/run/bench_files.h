#pragma once

#include "app/tasks/run/model_options.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::app {

/// The programs and bundled programs among `files`, in order; weights and an ETRecord among them go to
/// `options`. What cannot be read counts as a program, whose error it is. Errors: InvalidArgument (no
/// program, two ETRecords, a file of another kind).
[[nodiscard]] core::Result<std::vector<std::filesystem::path>> sortBenchFiles(
    const std::vector<std::filesystem::path>& files, ModelOptions& options);

}  // namespace et::app

#pragma once

#include "app/tasks/gap/gap_run.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::app {

/// Puts files, told apart by content, to their places in `settings`: an ETRecord, a program or bundled
/// program, a trace, its debug buffer, weights. Errors: InvalidArgument (two files for one place), those of
/// Session::sort().
[[nodiscard]] core::Result<> placeFiles(const std::vector<std::filesystem::path>& files,
                                        GapSettings& settings);

/// Errors: InvalidArgument where there is not a record with either a program, or a trace and its debug
/// buffer.
[[nodiscard]] core::Result<> checkFiles(const GapSettings& settings);

/// All files that a gap is calculated of.
[[nodiscard]] std::vector<std::filesystem::path> inputsOf(const GapSettings& settings);

}  // namespace et::app

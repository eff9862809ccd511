#pragma once

#include "app/tasks/gap/gap_run.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::tasks {

/// Assigns `settings.files`, recognized by content, to the other members: an ETRecord, a program or bundled
/// program, a trace, its debug buffer, weights. Errors: InvalidArgument (two files for one member), those of
/// inspector::placeFiles().
[[nodiscard]] core::Result<> placeFiles(GapSettings& settings);

/// Errors: InvalidArgument unless there is a record and either a program, or a trace with its debug buffer.
[[nodiscard]] core::Result<> checkFiles(const GapSettings& settings);

/// All input files of a gap calculation.
[[nodiscard]] std::vector<std::filesystem::path> inputsOf(const GapSettings& settings);

}  // namespace et::tasks

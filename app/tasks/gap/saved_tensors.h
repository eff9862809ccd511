#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "inspector/numeric_gap/diverging_operators.h"
#include "runtime/core/result.h"

#include <filesystem>

namespace et::tasks {

/// Writes both tensors of every row to `folder`, which is created if necessary: <row>_<output>_reference.npy
/// and <row>_<output>_runtime.npy, with rows counted from 0 with leading zeros. Those of the first gap are in
/// the folder itself, those of the others in inputs_1, inputs_2, ... They may not be on the disk yet: waiting
/// for each takes longer than calculating it. Errors: Io, Unsupported (a dtype that NumPy does not support),
/// Cancelled.
[[nodiscard]] core::Result<> saveTensors(inspector::Gaps gaps, const std::filesystem::path& folder,
                                         ProgressReporter& watch);

}  // namespace et::tasks

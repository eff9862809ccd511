#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/verify/verify_settings.h"
#include "bundled_program/verify.h"

#include <filesystem>

namespace et::tasks {

/// Runs the cases of a bundled program in this process. Any error of the file is in the report. `watch`, if
/// set, counts the cases.
[[nodiscard]] bundled_program::FileReport verifyFile(const std::filesystem::path& path,
                                                     const VerifySettings& settings,
                                                     ProgressReporter* watch = nullptr);

}  // namespace et::tasks

#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/verify/verify_settings.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace et::tasks {

/// Lists the files to verify: each path unchanged; for a folder, all bundled programs (.bpte) in it and its
/// subfolders, sorted. A folder without any, and subfolders that cannot be read, stay in the list, so that
/// verifying reports the error. Links to folders are not followed.
[[nodiscard]] std::vector<std::filesystem::path> bundleFiles(std::span<const std::filesystem::path> paths);

/// Settings to verify a file with. Errors: anything that prevents verifying it; reported as that file's
/// error.
using SettingsOf = std::function<core::Result<VerifySettings>(const std::filesystem::path&)>;

/// Verifies each file in a separate process, `jobs` at a time. A process that dies or exceeds its time limit
/// is that file's error. Reports are in the order of the files; if InterruptionGuard requests an end, only
/// the finished ones.
[[nodiscard]] std::vector<bundled_program::FileReport> verifyApart(
    std::span<const std::filesystem::path> files, const SettingsOf& settingsOf, std::size_t jobs,
    ProgressReporter& watch);

/// Verifies the files one after the other in this process, each with its own InterruptionGuard; `interrupted`
/// is the reason for an early end. `watch` counts the files, or the cases of a single file.
[[nodiscard]] std::vector<bundled_program::FileReport> verifyHere(
    std::span<const std::filesystem::path> files, const SettingsOf& settingsOf, ProgressReporter& watch,
    Interruption& interrupted);

}  // namespace et::tasks

#pragma once

#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/verify/verify_settings.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

namespace et::app {

/// What a file is verified with. Errors: whatever keeps it from being verified, which is that file's error.
using SettingsOf = std::function<core::Result<VerifySettings>(const std::filesystem::path&)>;

/// Verifies each file in a process of its own, `jobs` at a time. A process that dies or does not end in time
/// is that file's error. Reports are in the order of the files; only those that were done when
/// InterruptionGuard was asked to end.
[[nodiscard]] std::vector<bundled_program::FileReport> verifyApart(
    std::span<const std::filesystem::path> files, const SettingsOf& settingsOf, std::size_t jobs,
    Watch& watch);

/// One after the other in this process, each with an InterruptionGuard of its own; `interrupted` says why it
/// ended early. `watch` counts the files, or the cases of a single one.
[[nodiscard]] std::vector<bundled_program::FileReport> verifyHere(
    std::span<const std::filesystem::path> files, const SettingsOf& settingsOf, Watch& watch,
    Interruption& interrupted);

}  // namespace et::app

#pragma once

#include "app/cli/run/interruption.h"
#include "app/cli/run/watch.h"
#include "app/cli/verify/verify_settings.h"
#include "bundled_program/verify.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace et::cli {

/// Verifies each file in a process of its own, `jobs` at a time. A process that dies or does not end in time
/// is that file's error. Reports are in the order of the files; only those that were done when
/// InterruptionGuard was asked to end.
[[nodiscard]] std::vector<bundled_program::FileReport> verifyApart(
    std::span<const std::filesystem::path> files, const VerifySettings& settings, std::size_t jobs,
    Watch& watch);

/// One after the other in this process, each with an InterruptionGuard of its own; `interrupted` says why it
/// ended early.
[[nodiscard]] std::vector<bundled_program::FileReport> verifyHere(
    std::span<const std::filesystem::path> files, const VerifySettings& settings, Watch& watch,
    Interruption& interrupted);

}  // namespace et::cli

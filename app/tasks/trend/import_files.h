#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/trend/measured_file.h"
#include "inspector/trend/trend_groups.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

struct ImportSettings {
    std::vector<std::filesystem::path> files;
    std::filesystem::path store;  ///< created if necessary
    TrendLabels labels;
};

struct ImportOutcome {
    std::size_t imported = 0;
    std::size_t known = 0;   ///< files whose content was already there
    std::size_t broken = 0;  ///< unreadable files
};

/// Parses "device=pixel8" and the like. Errors: InvalidArgument (no '=', an empty or repeated name, control
/// characters, or "commit", which has its own option).
[[nodiscard]] core::Result<inspector::Tags> readTags(std::span<const std::string> texts);

/// Imports files into the history of a store, in batches: finished batches are kept after an interruption.
/// Unreadable files are passed to `complain` and skipped. Errors: those of the store, Cancelled (if
/// InterruptionGuard requests an end).
[[nodiscard]] core::Result<ImportOutcome> importFiles(
    const ImportSettings& settings, ProgressReporter& watch,
    const std::function<void(const core::Error&)>& complain);

}  // namespace et::tasks

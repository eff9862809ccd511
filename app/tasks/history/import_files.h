#pragma once

#include "app/tasks/history/measured_file.h"
#include "app/tasks/run/watch.h"
#include "inspector/history/history.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace et::app {

struct ImportSettings {
    std::vector<std::filesystem::path> files;
    std::filesystem::path store;  ///< made where it is not there
    HistoryLabels labels;
};

struct ImportOutcome {
    std::size_t imported = 0;
    std::size_t known = 0;   ///< whose content was there already
    std::size_t broken = 0;  ///< that could not be read
};

/// "device=pixel8" and the like. Errors: InvalidArgument (no '=', a name that is empty or given twice,
/// control characters, "commit", which has an option of its own).
[[nodiscard]] core::Result<inspector::Tags> readTags(std::span<const std::string> texts);

/// Takes files into the history in a store, some at a time: what is done when it ends early stays. A file
/// that cannot be read is handed to `complain` and left out. Errors: those of the store, Cancelled (once
/// InterruptionGuard is asked to end).
[[nodiscard]] core::Result<ImportOutcome> importFiles(
    const ImportSettings& settings, Watch& watch, const std::function<void(const core::Error&)>& complain);

}  // namespace et::app

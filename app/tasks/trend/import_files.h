#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "inspector/format/trace_clock.h"
#include "inspector/store/trend_store.h"
#include "inspector/trend/trend_groups.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace et::tasks {

/// Settings for importing files into a history.
struct TrendLabels {
    std::string model;     ///< empty: derived from the file names
    std::string commit;    ///< empty: unknown
    std::string measured;  ///< utcText(); empty: modification time of each file
    inspector::Tags tags{};
    inspector::TraceClock clock{};  ///< of traces
};

/// A file that was read for a history.
struct MeasuredFile {
    inspector::store::ImportedFile file;
    bool isKnown = false;  ///< its content is already known: nothing else was read
    std::vector<inspector::store::ModelMeasurement> models{};
};

/// Reads a trace, a session (its first trace), the output of `bench --format json`, or statistics of
/// ExecuTorch's LLM runner (readRunnerLines()). The name of a model comes from `labels`, else from the
/// program of a session or benchmark, else from the trace, without folders and extension. The tag "threads"
/// comes from the file unless it is given. Errors: those of the readers, each with the file.
[[nodiscard]] core::Result<MeasuredFile> readMeasuredFile(const std::filesystem::path& path,
                                                          const TrendLabels& labels,
                                                          const std::unordered_set<std::string>& known);

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

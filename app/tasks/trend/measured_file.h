#pragma once

#include "inspector/format/time_scale.h"
#include "inspector/store/trend_store.h"
#include "runtime/core/result.h"

#include <filesystem>
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
    inspector::TimeScale scale = inspector::TimeScale::Nanoseconds;  ///< of traces
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

}  // namespace et::tasks

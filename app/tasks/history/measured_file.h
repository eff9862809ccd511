#pragma once

#include "inspector/format/time_scale.h"
#include "inspector/store/history_store.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <unordered_set>
#include <vector>

namespace et::app {

/// How files are taken into a history.
struct HistoryLabels {
    std::string model;     ///< empty: by the names of the files
    std::string commit;    ///< empty: not known
    std::string measured;  ///< utcText(); empty: when each file was last written
    inspector::Tags tags{};
    inspector::TimeScale scale = inspector::TimeScale::Nanoseconds;  ///< of traces
};

/// A file that was read for a history.
struct MeasuredFile {
    inspector::store::ImportedFile file;
    bool isKnown = false;  ///< its content was among the known: nothing else was read
    std::vector<inspector::store::ModelMeasurement> models{};
};

/// Reads a trace, a session (its first trace), what `bench --format json` printed, or statistics of
/// ExecuTorch's LLM runner (readRunnerLines()). A model is named by
/// `labels`, else by the program of a session or a benchmark, else by the trace, without folders and ending.
/// The tag "threads" is what the file says, unless it is given. Errors: those of the readers, each naming the
/// file.
[[nodiscard]] core::Result<MeasuredFile> readMeasuredFile(const std::filesystem::path& path,
                                                          const HistoryLabels& labels,
                                                          const std::unordered_set<std::string>& known);

}  // namespace et::app

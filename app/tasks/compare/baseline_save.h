#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/model/model_options.h"
#include "inspector/format/trace_clock.h"
#include "inspector/store/baseline_store.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Input of a baseline.
struct BaselineSettings {
    std::string name;
    std::vector<std::filesystem::path> files;  ///< a program or a trace, and optionally its ETRecord
    std::filesystem::path record;              ///< empty: among `files`, or none
    std::filesystem::path store;               ///< empty: the default
    inspector::store::Existing existing = inspector::store::Existing::Keep;
    ModelOptions model;
    MeasureOptions measure;
    inspector::TraceClock clock{};  ///< of traces
};

/// Runs the program or reads the trace, stores it under the name, and returns warnings. Nothing is saved if
/// InterruptionGuard requests an end. Errors: InvalidArgument (not exactly one program or trace), those of
/// the files, of the store and of measurePrograms(), Cancelled.
[[nodiscard]] core::Result<std::vector<std::string>> saveBaseline(const BaselineSettings& settings,
                                                                  const ProgressOptions& progress);

}  // namespace et::tasks

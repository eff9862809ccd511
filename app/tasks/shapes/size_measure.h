#pragma once

#include "app/tasks/run/measure.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/shapes/shape_space.h"
#include "inspector/comparison/measurement.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace et::app {

/// One size, measured.
struct SizeMeasurement {
    std::int64_t size = 0;
    double nanoseconds = 0;                ///< of one execution: the lower median of two launches
    double spread = 0;                     ///< how far these two are apart
    std::uint64_t peakBytes = 0;           ///< of the process: the lower of both
    inspector::Measurement measurement{};  ///< of the faster launch, with its operators
};

/// What is measured, and how often.
struct SizeMeasure {
    std::filesystem::path model;
    ModelOptions options;  ///< with the record, if there is one
    ProgressOptions progress;
};

/// Runs the method on random inputs of these sizes in two processes, one after the other. Starts processes:
/// call it while there are no threads. Errors: those of measurePrograms().
[[nodiscard]] core::Result<SizeMeasurement> measureSize(const SizeMeasure& what, std::int64_t size,
                                                        const InputSizes& sizes, Repetitions repetitions);

/// As many executions as fit into a fifth of a second, 5 at least and 200 at most, and a fifth as many
/// before.
[[nodiscard]] Repetitions repetitionsFor(double nanoseconds);

}  // namespace et::app

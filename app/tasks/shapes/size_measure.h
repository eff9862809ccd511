#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/shapes/shape_space.h"
#include "inspector/comparison/measurement.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace et::tasks {

/// Measurement of one size.
struct SizeMeasurement {
    std::int64_t size = 0;
    double nanoseconds = 0;                ///< per execution: the lower median of two launches
    double spread = 0;                     ///< difference of the two medians
    std::uint64_t peakBytes = 0;           ///< peak of the process: the lower of both launches
    inspector::Measurement measurement{};  ///< of the faster launch, including operators
};

/// Model and iterations of a size measurement.
struct SizeMeasure {
    std::filesystem::path model;
    ModelOptions options;  ///< includes the record, if there is one
    ProgressOptions progress;
};

/// Runs the method on random inputs of these sizes in two processes, one after the other. Starts processes:
/// call while there are no threads. Errors: those of measurePrograms().
[[nodiscard]] core::Result<SizeMeasurement> measureSize(const SizeMeasure& what, std::int64_t size,
                                                        const InputSizes& sizes, Repetitions repetitions);

/// As many executions as fit into a fifth of a second, between 5 and 200, and a fifth as many for warm-up.
[[nodiscard]] Repetitions repetitionsFor(double nanoseconds);

}  // namespace et::tasks

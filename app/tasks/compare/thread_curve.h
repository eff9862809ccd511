#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model_options.h"
#include "inspector/comparison/measurement.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// Speedup of a model with more threads.
namespace et::tasks {

/// A model measured with one number of threads.
struct ThreadCurvePoint {
    std::size_t threads = 1;
    double median = 0;      ///< nanoseconds per execution
    double speedup = 1;     ///< relative to the fewest threads measured
    double efficiency = 1;  ///< speedup divided by the factor of threads
};

/// An operator measured with each number of threads.
struct OperatorCurve {
    std::string name{};
    std::string backend{};          ///< of the delegate; empty: none
    std::vector<double> medians{};  ///< nanoseconds, in the order of ThreadCurve::points
    double speedup = 1;             ///< with the most threads
    double share = 0;               ///< fraction (0 to 1) of all operators' time with the most threads
    double lost = 0;                ///< nanoseconds per execution in excess of perfect scaling
};

struct ThreadCurve {
    std::string file{};
    std::vector<ThreadCurvePoint> points{};  ///< by threads
    /// Operators with less than half of the ideal speedup and at least a hundredth of the time with the most
    /// threads; largest loss first.
    std::vector<OperatorCurve> notScaling{};
};

/// The curve of measurements of one program, one per number of threads (RunSettings::threads), in any order.
/// Delegate calls with traced operators are replaced by these. Empty for no measurements.
[[nodiscard]] ThreadCurve threadCurve(std::string file, std::span<const inspector::Measurement> measurements);

/// Measures each number of threads in a separate process. Errors: those of measurePrograms().
[[nodiscard]] core::Result<ThreadCurve> measureThreadCurve(const std::filesystem::path& file,
                                                           const ModelOptions& options,
                                                           std::span<const std::size_t> threads,
                                                           Repetitions repetitions,
                                                           const ProgressOptions& progress);

}  // namespace et::tasks

#pragma once

#include "app/tasks/run/measure.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "inspector/comparison/measurement.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// How much faster a model is with more threads.
namespace et::app {

/// A model with one number of threads.
struct ThreadCurvePoint {
    std::size_t threads = 1;
    double median = 0;      ///< nanoseconds of one execution
    double speedup = 1;     ///< of the fewest threads that were measured
    double efficiency = 1;  ///< speedup by how many times as many threads there are
};

/// An operator with each number of threads.
struct OperatorCurve {
    std::string name{};
    std::string backend{};          ///< of a delegate; empty: none
    std::vector<double> medians{};  ///< nanoseconds, as ThreadCurve::points
    double speedup = 1;             ///< of the most threads
    double share = 0;               ///< part (0 to 1) of all operators' time with the most threads
    double lost = 0;                ///< nanoseconds of an execution that it takes longer than if it scaled
};

struct ThreadCurve {
    std::string file{};
    std::vector<ThreadCurvePoint> points{};  ///< by threads
    /// That reach less than half of what as many threads more could give, and take at least a hundredth of
    /// the time with the most threads; those that lose most first.
    std::vector<OperatorCurve> notScaling{};
};

/// The curve of measurements of one program, one for each number of threads (RunSettings::threads), in any
/// order. Of operators without a share of their own (calls of delegates that traced what is in them) the
/// parts count. Empty for none.
[[nodiscard]] ThreadCurve threadCurve(std::string file, std::span<const inspector::Measurement> measurements);

/// Measures each number of threads in a process of its own. Errors: those of measurePrograms().
[[nodiscard]] core::Result<ThreadCurve> measureThreadCurve(const std::filesystem::path& file,
                                                           const ModelOptions& options,
                                                           std::span<const std::size_t> threads,
                                                           Repetitions repetitions,
                                                           const ProgressOptions& progress);

}  // namespace et::app

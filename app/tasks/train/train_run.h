#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model.h"
#include "app/tasks/train/train_settings.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/program/training_method.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// A loaded training method.
struct TrainingModel {
    std::unique_ptr<Model> model;
    program::TrainingMethod training;
    std::vector<core::Tensor*> parameters;  ///< in the order of TrainingMethod::parameters
};
/// Errors: those of Model::open(); Unsupported (the method has no gradients or no loss, or its parameters are
/// constants).
[[nodiscard]] core::Result<TrainingModel> openTraining(const std::filesystem::path& path,
                                                       const ModelOptions& options);

/// The loss after an execution. Errors: Format (it has several elements).
[[nodiscard]] core::Result<double> lossOf(const TrainingModel& opened);

/// One step: an execution, then an update of the parameters.
struct TrainStep {
    double loss = 0;                ///< before the update
    double gradientNorm = 0;        ///< over all parameters
    std::uint64_t nanoseconds = 0;  ///< of the execution
};

/// Change of a parameter by all steps, as Euclidean norms.
struct ParameterChange {
    std::string name;
    std::string type;  ///< "float32 [16, 2]"
    double before = 0;
    double after = 0;
    double change = 0;
};

struct TrainResult {
    std::string method;
    OptimizerSettings optimizer;
    std::size_t batches = 1;
    std::vector<TrainStep> steps;
    std::vector<ParameterChange> parameters;
    /// True if the last loss or gradient is NaN or infinite; then its step did not change the parameters.
    bool diverged = false;
    Interruption interruption = Interruption::None;
};

/// Trains, and writes the checkpoint (unless the training diverged). Ctrl-C ends it with the results so far.
/// `note` receives messages. Errors: those of openTraining(), TrainingData and the checkpoints.
[[nodiscard]] core::Result<TrainResult> train(const TrainSettings& settings, ProgressReporter& watch,
                                              const std::function<void(std::string_view)>& note);

}  // namespace et::tasks

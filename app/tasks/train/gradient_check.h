#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/train/train_settings.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// An element of a gradient, and the estimate of it from executions with other values of its parameter.
struct GradientElement {
    std::size_t index = 0;  ///< in memory order
    double gradient = 0;    ///< output of the program
    double difference = 0;  ///< estimate
    double allowed = 0;     ///< maximum distance of the two

    [[nodiscard]] double error() const;
};

struct ParameterCheck {
    std::string name;
    std::string type;         ///< "float32 [16, 2]"
    std::size_t checked = 0;  ///< number of elements
    std::size_t failed = 0;   ///< elements that differ by more than allowed
    std::size_t unsure = 0;   ///< elements whose estimates differ too much: near a kink of the loss
    GradientElement worst{};  ///< largest error relative to the allowed one
};

struct GradientCheck {
    std::string method;
    double loss = 0;
    double tolerance = 0;
    std::vector<ParameterCheck> parameters;
    std::string problem{};  ///< why the gradients cannot be checked; empty: they were

    [[nodiscard]] bool passed() const;
};

/// Compares gradients with central differences of the loss, each estimated from four executions. Allowed are
/// the tolerance (of the larger of both; by default 1 % for float32 and float64, 10 % for shorter dtypes),
/// the rounding of the loss, and the difference of the estimates. A loss that differs between two executions
/// on the same inputs is a problem of the check. `note` receives messages. Errors: those of openTraining()
/// and of the inputs; Cancelled.
[[nodiscard]] core::Result<GradientCheck> checkGradients(const GradientCheckSettings& settings,
                                                         ProgressReporter& watch,
                                                         const std::function<void(std::string_view)>& note);

}  // namespace et::tasks

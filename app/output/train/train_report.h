#pragma once

#include "app/output/cells.h"
#include "app/tasks/train/gradient_check.h"
#include "app/tasks/train/train_run.h"
#include "app/tasks/train/train_settings.h"

#include <string>
#include <vector>

namespace et::output {

/// The loss as a line of bars, and the change of each parameter.
[[nodiscard]] std::string trainText(const tasks::TrainSettings& settings, const tasks::TrainResult& result,
                                    const Style& style);
/// docs/reference/json.md.
[[nodiscard]] std::string trainJson(const tasks::TrainSettings& settings, const tasks::TrainResult& result);
/// A row per step.
[[nodiscard]] std::string trainCsv(const tasks::TrainResult& result);
/// The loss over the steps as one SVG.
[[nodiscard]] std::string trainPicture(const tasks::TrainSettings& settings,
                                       const tasks::TrainResult& result);

/// A program and the check of its gradients.
struct CheckedGradients {
    std::string file;
    tasks::GradientCheck check;
    std::string error;  ///< why it could not be checked; otherwise empty

    [[nodiscard]] bool passed() const { return error.empty() && check.passed(); }
};
[[nodiscard]] std::string gradientsText(const std::vector<CheckedGradients>& all, const Style& style);
/// docs/reference/json.md.
[[nodiscard]] std::string gradientsJson(const std::vector<CheckedGradients>& all);

}  // namespace et::output

#pragma once

#include "app/tasks/model/model_options.h"
#include "app/tasks/train/optimizer.h"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace et::tasks {

class OptionList;

/// A training program, its data, and how its parameters are updated.
struct TrainSettings {
    std::filesystem::path program;
    ModelOptions model;  ///< `inputs`: the data
    OptimizerSettings optimizer;
    std::optional<double> learningRate;  ///< default: usualLearningRate()
    std::size_t steps = 100;
    bool shuffle = false;
    std::filesystem::path resume;      ///< checkpoint with the first parameters; empty: those of the program
    std::filesystem::path checkpoint;  ///< written after the last step; empty: none
};

/// Adds all options except those of the output.
void addTrainOptions(OptionList& options, TrainSettings& settings);

/// Parameters to check, and the accuracy.
struct GradientCheckSettings {
    std::filesystem::path program;
    ModelOptions model;
    std::size_t elements = 16;          ///< of each parameter
    std::optional<double> tolerance{};  ///< relative; default: by dtype
};

}  // namespace et::tasks

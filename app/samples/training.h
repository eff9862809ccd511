#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::samples {

/// The sample set of a training program.
inline constexpr SampleInfo trainingInfo{
    .name = "train", .description = "a training step of two linear layers, and data for it"};

/// train.pte: forward(x [16, 2], target [16, 1]) returns loss, prediction, gradients and parameters.
/// train.etrecord: its Edge graph. train_data.npz: 64 rows of x and target, four batches. Deterministic.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeTraining();

}  // namespace et::samples

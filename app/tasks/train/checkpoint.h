#pragma once

#include "runtime/core/result.h"
#include "runtime/core/tensor.h"
#include "runtime/executor/method.h"
#include "runtime/program/training_method.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace et::tasks {

/// The tensors of the parameters of a loaded training method, in order. Errors: Unsupported (a constant one).
[[nodiscard]] core::Result<std::vector<core::Tensor*>> parametersOf(const program::TrainingMethod& training,
                                                                    executor::Method& method);

/// Writes the parameters with their names as a tensor data file (.ptd), as ExecuTorch's training examples do.
/// Errors: Io.
[[nodiscard]] core::Result<> writeCheckpoint(const std::filesystem::path& path,
                                             const program::TrainingMethod& training,
                                             const std::vector<core::Tensor*>& parameters);

/// Sets the parameters from a tensor data file. Returns the number of its tensors that are none of the
/// parameters. Errors: those of program::TensorData; Mismatch (a parameter is missing, or has another dtype,
/// other sizes or another dim order: the message names it).
[[nodiscard]] core::Result<std::size_t> readCheckpoint(const std::filesystem::path& path,
                                                       const program::TrainingMethod& training,
                                                       const std::vector<core::Tensor*>& parameters);

}  // namespace et::tasks

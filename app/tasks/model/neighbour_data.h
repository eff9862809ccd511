#pragma once

#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace et::tasks {

/// A tensor data file next to a program.
struct NeighbourData {
    std::filesystem::path path;
    std::shared_ptr<const program::TensorData> data;
};

/// Finds the tensor data files (.ptd) in the program's folder that contain data missing from the program, by
/// names and layouts. If several contain the same name, files whose name starts with the program's name come
/// first. Empty if nothing is missing, or nothing is found. Errors: Mismatch (files contain the same name
/// with different data, and the choice is ambiguous; a tensor has another layout in all files that contain
/// it).
[[nodiscard]] core::Result<std::vector<NeighbourData>> findTensorData(const program::Program& program,
                                                                      const std::filesystem::path& file);

}  // namespace et::tasks

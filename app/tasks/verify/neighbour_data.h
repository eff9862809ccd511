#pragma once

#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace et::app {

/// A tensor data file beside a program.
struct NeighbourData {
    std::filesystem::path path;
    std::shared_ptr<const program::TensorData> data;
};

/// The tensor data files (.ptd) in the program's folder that hold what the program names and does not have:
/// found by the names and sizes in them. Where several hold the same name, those whose file name begins with
/// the program's come first. Empty where nothing is missing, or it is nowhere. Errors: Mismatch (files hold
/// the same name with other data, and nothing says which one is meant).
[[nodiscard]] core::Result<std::vector<NeighbourData>> findTensorData(const program::Program& program,
                                                                      const std::filesystem::path& file);

}  // namespace et::app

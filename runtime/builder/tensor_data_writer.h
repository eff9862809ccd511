#pragma once

#include "runtime/core/file_content.h"
#include "runtime/core/result.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::builder {

/// Makes a tensor data file (.ptd) that program::TensorData::parse() reads back as equal entries (only name,
/// data and layout are used). Equal bytes share a segment. Errors: InvalidArgument (a size that does not fit
/// 32 bits). The file borrows the data of the entries.
[[nodiscard]] core::Result<core::FileContent> tensorDataFile(
    std::span<const program::TensorDataEntry> entries);
/// The same file in one vector.
[[nodiscard]] core::Result<std::vector<std::byte>> writeTensorData(
    std::span<const program::TensorDataEntry> entries);

}  // namespace et::builder

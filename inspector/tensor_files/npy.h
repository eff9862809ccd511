#pragma once

#include "inspector/tensor_files/host_tensor.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <vector>

/// NumPy's format for one array (`.npy`). Definition: numpy/lib/format.py, versions 1 to 3.
namespace et::inspector {

[[nodiscard]] bool isNpy(core::Bytes bytes);

/// Supports both byte orders and both element orders. Two-byte void elements ("<V2") are bfloat16, as written
/// by ml_dtypes. Errors: Format (damaged, truncated, longer than its shape), Unsupported (structures, texts,
/// dates and other dtypes without a tensor equivalent).
[[nodiscard]] core::Result<HostTensor> readNpy(core::Bytes bytes);

/// Writes a tensor in row-major order, whatever its dim order. Errors: Unsupported (a dtype that NumPy
/// lacks).
[[nodiscard]] core::Result<std::vector<std::byte>> writeNpy(const core::Tensor& tensor);

}  // namespace et::inspector

#pragma once

#include "inspector/tensors/host_tensor.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <vector>

/// NumPy's file of one array (`.npy`). Definition: numpy/lib/format.py, versions 1 to 3.
namespace et::inspector {

[[nodiscard]] bool isNpy(core::Bytes bytes);

/// Both byte orders and both element orders. Two bytes without a meaning ("<V2") are bfloat16, as ml_dtypes
/// writes it. Errors: Format (damaged, cut short, longer than its shape says), Unsupported (structures,
/// texts, dates and other dtypes that no tensor has).
[[nodiscard]] core::Result<HostTensor> readNpy(core::Bytes bytes);

/// A tensor as a file, row-major whatever its dim order. Errors: Unsupported (a dtype that NumPy lacks).
[[nodiscard]] core::Result<std::vector<std::byte>> writeNpy(const core::Tensor& tensor);

}  // namespace et::inspector

#pragma once

#include "inspector/tensor_files/tensor_view.h"
#include "runtime/archive/zip.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// NumPy's formats for one array (`.npy`; definition: numpy/lib/format.py, versions 1 to 3) and for several
/// (`.npz`: a zip of `.npy` files, stored or deflated).
namespace et::inspector {

/// Whether there is at least one entry and all are named `.npy`.
[[nodiscard]] bool isNpz(const archive::ZipArchive& zip);

/// Returns the arrays by number if all names are the same word with a number ("arr_0", "arg_1", as
/// numpy.savez() names unnamed arrays), else in file order. Errors: Format, Unsupported, Limit (more than
/// `maxBytes`).
[[nodiscard]] core::Result<std::vector<HostTensor>> readNpz(const archive::ZipArchive& zip,
                                                            std::uint64_t maxBytes);

[[nodiscard]] bool isNpy(core::Bytes bytes);

/// Supports both byte orders and both element orders. Two-byte void elements ("<V2") are bfloat16, as written
/// by ml_dtypes. Errors: Format (damaged, truncated, longer than its shape), Unsupported (structures, texts,
/// dates and other dtypes without a tensor equivalent).
[[nodiscard]] core::Result<HostTensor> readNpy(core::Bytes bytes);

/// Writes a tensor in row-major order, whatever its dim order. Errors: Unsupported (a dtype that NumPy
/// lacks).
[[nodiscard]] core::Result<std::vector<std::byte>> writeNpy(const core::Tensor& tensor);

}  // namespace et::inspector

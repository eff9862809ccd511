#pragma once

#include "etrecord/zip.h"
#include "inspector/tensor_files/host_tensor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

/// NumPy's format for several arrays (`.npz`): a zip of `.npy` files, stored or deflated.
namespace et::inspector {

/// Whether there is at least one entry and all are named `.npy`.
[[nodiscard]] bool isNpz(const etrecord::ZipArchive& zip);

/// Returns the arrays by number if all names are the same word with a number ("arr_0", "arg_1", as
/// numpy.savez() names unnamed arrays), else in file order. Errors: Format, Unsupported, Limit (more than
/// `maxBytes`).
[[nodiscard]] core::Result<std::vector<HostTensor>> readNpz(const etrecord::ZipArchive& zip,
                                                            std::uint64_t maxBytes);

}  // namespace et::inspector

#pragma once

#include "etrecord/zip.h"
#include "inspector/tensors/host_tensor.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

/// NumPy's file of several arrays (`.npz`): a zip of `.npy` files, stored or deflated.
namespace et::inspector {

/// Whether every entry is a `.npy` file by its name, and there is one at least.
[[nodiscard]] bool isNpz(const etrecord::ZipArchive& zip);

/// The arrays: by number where all names are one word with a number each ("arr_0", "arg_1", as numpy.savez()
/// names what has no name), else in the order of the file. Errors: Format, Unsupported, Limit (more than
/// `maxBytes`).
[[nodiscard]] core::Result<std::vector<HostTensor>> readNpz(const etrecord::ZipArchive& zip,
                                                            std::uint64_t maxBytes);

}  // namespace et::inspector

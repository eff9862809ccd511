#pragma once

#include "runtime/core/file_replacement.h"
#include "runtime/core/result.h"
#include "runtime/core/tensor.h"

#include <filesystem>

namespace et::tasks {

/// Writes a tensor as a row-major .npy file. Errors: those of inspector::writeNpy() and writeFile(), with the
/// path.
[[nodiscard]] core::Result<> writeTensor(const core::Tensor& tensor, const std::filesystem::path& path,
                                         core::FileReplacement::Sync sync = core::FileReplacement::Sync::Now);

}  // namespace et::tasks

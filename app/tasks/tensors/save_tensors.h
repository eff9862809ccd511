#pragma once

#include "inspector/tensors/tensor_catalog.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Result of saving a tensor.
struct SavedTensor {
    std::string file{};     ///< in the folder; empty if it was not written
    std::string problem{};  ///< then why
};

/// File name for a tensor: keeps letters, digits, '.', '-' and '_', and replaces other characters by '_'.
[[nodiscard]] std::string makeFileName(std::string_view tensor);

/// Saves one tensor as a row-major `.npy` file. Errors: those of TensorCatalog::read(), writeNpy() and
/// writeFile().
[[nodiscard]] core::Result<> saveTensor(const inspector::TensorCatalog& catalog, std::size_t tensor,
                                        inspector::TensorForm form, const std::filesystem::path& file);

/// Saves tensors as NAME.npy to a folder, which is created if missing; a second tensor of the same name is
/// NAME_2.npy. Skips a tensor that cannot be read. Errors: Io.
[[nodiscard]] core::Result<std::vector<SavedTensor>> saveTensors(const inspector::TensorCatalog& catalog,
                                                                 std::span<const std::size_t> which,
                                                                 inspector::TensorForm form,
                                                                 const std::filesystem::path& folder);

}  // namespace et::tasks

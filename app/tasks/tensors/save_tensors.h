#pragma once

#include "inspector/catalog/tensor_catalog.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What became of a tensor that was to be saved.
struct SavedTensor {
    std::string file{};     ///< in the folder; empty: it was not written
    std::string problem{};  ///< then why
};

/// A file's name for a tensor: letters, digits, '.', '-' and '_' of it, others as '_'.
[[nodiscard]] std::string fileNameOf(std::string_view tensor);

/// One tensor as a `.npy` file, row-major. Errors: as TensorCatalog::read(), writeNpy() and writeFile().
[[nodiscard]] core::Result<> saveTensor(const inspector::TensorCatalog& catalog, std::size_t tensor,
                                        inspector::TensorForm form, const std::filesystem::path& file);

/// Several to a folder, which is made where it is missing, as NAME.npy; of equal names the second is
/// NAME_2.npy. One that cannot be read is left out. Errors: Io.
[[nodiscard]] core::Result<std::vector<SavedTensor>> saveTensors(const inspector::TensorCatalog& catalog,
                                                                 std::span<const std::size_t> which,
                                                                 inspector::TensorForm form,
                                                                 const std::filesystem::path& folder);

}  // namespace et::app

#pragma once

#include "app/tasks/tensors/save_tensors.h"
#include "inspector/catalog/tensor_catalog.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::app {

struct TensorTableOptions {
    bool statistics = false;  ///< reads every element
    inspector::TensorForm form = inspector::TensorForm::Stored;
    std::span<const SavedTensor> saved{};  ///< a column of files; as many as `which`, or none
};

/// Tensors of a catalog, one a row: name, origin, type, bytes, place, module, debug handles; what could not
/// be read says why in the column "problem".
[[nodiscard]] inspector::report::Table tensorTable(const inspector::TensorCatalog& catalog,
                                                   std::span<const std::size_t> which,
                                                   const TensorTableOptions& options);

}  // namespace et::app

#pragma once

#include "app/output/cells.h"
#include "app/tasks/tensors/save_tensors.h"
#include "inspector/format/table.h"
#include "inspector/tensors/tensor_catalog.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::output {

struct TensorTableOptions {
    bool statistics = false;  ///< reads every element
    inspector::TensorForm form = inspector::TensorForm::Stored;
    std::span<const tasks::SavedTensor> saved{};  ///< column of file names; same size as `which`, or empty
};

/// Tensors of a catalog, one per row: name, origin, type, bytes, location, module, debug handles; the column
/// "problem" has the reason why a tensor could not be read.
[[nodiscard]] Table tensorTable(const inspector::TensorCatalog& catalog, std::span<const std::size_t> which,
                                const TensorTableOptions& options);

}  // namespace et::output

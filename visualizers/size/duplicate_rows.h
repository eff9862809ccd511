#pragma once

#include "inspector/size/duplicates.h"
#include "visualizers/size/size_scene.h"
#include "visualizers/toolkit/report_table_model.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// Groups of duplicates as rows, most wasteful first, with the pieces of each group below it.
struct DuplicateRows {
    ReportRows rows;
    std::vector<std::optional<std::size_t>> pieces;  ///< by row; for a group, its first piece
};
[[nodiscard]] DuplicateRows duplicateRows(const SizeScene& scene,
                                          std::span<const inspector::DuplicateGroup> groups);

}  // namespace et::visualizers

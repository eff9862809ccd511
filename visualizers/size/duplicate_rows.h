#pragma once

#include "inspector/size/duplicates.h"
#include "visualizers/size/size_scene.h"
#include "visualizers/toolkit/report_table_model.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// Rows of groups of duplicates, what costs most first; below each the pieces of the group.
struct DuplicateRows {
    ReportRows rows;
    std::vector<std::optional<std::size_t>> pieces;  ///< by row; of a group: its first
};
[[nodiscard]] DuplicateRows duplicateRows(const SizeScene& scene,
                                          std::span<const inspector::DuplicateGroup> groups);

}  // namespace et::visualizers

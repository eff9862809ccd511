#pragma once

#include "app/output/cells.h"
#include "inspector/trend/trend.h"

#include <cstddef>
#include <string>

namespace et::output {

/// One row per group: number of measurements, first level and current level.
[[nodiscard]] Table trendTable(const inspector::Trend& trend);
/// The table, followed by the changes: grouped by commit, with the operators that caused them.
[[nodiscard]] std::string trendText(const inspector::Trend& trend, const Style& style);
/// docs/reference/json.md.
[[nodiscard]] std::string trendJson(const inspector::Trend& trend);
/// The total of each group over its points, with levels and changes, as one SVG.
[[nodiscard]] std::string trendPicture(const inspector::Trend& trend);

}  // namespace et::output

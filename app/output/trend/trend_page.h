#pragma once

#include "app/output/cells.h"
#include "inspector/trend/trend.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Label of a point: "4f2a91c07d3e", or "2026-11-25 22:14" without a commit. Escaped for display.
[[nodiscard]] std::string pointLabel(const inspector::TrendPoint& point);
/// "pixel8"; with the method if a model has several. Escaped for display.
[[nodiscard]] std::string groupLabel(const inspector::Trend& trend, std::size_t group);
/// "10.02 ms -> 10.33 ms, +3.1 % [+2.6 %, +3.6 %]"
[[nodiscard]] std::string stepText(const inspector::LevelStep& step, bool cycles);
/// Formats nanoseconds or cycles.
[[nodiscard]] std::string trendTime(double time, bool cycles);

/// One row per group: number of measurements, first level and current level.
[[nodiscard]] Table trendTable(const inspector::Trend& trend);
/// The table, followed by the changes: grouped by commit, with the operators that caused them.
[[nodiscard]] std::string trendText(const inspector::Trend& trend, const Style& style);
/// docs/reference/json.md.
[[nodiscard]] std::string trendJson(const inspector::Trend& trend);
/// The total of each group over its points, with levels and changes, as one SVG.
[[nodiscard]] std::string trendPicture(const inspector::Trend& trend);

}  // namespace et::output

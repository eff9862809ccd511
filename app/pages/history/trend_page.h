#pragma once

#include "inspector/format/table.h"
#include "inspector/history/trend.h"

#include <cstddef>
#include <string>

namespace et::app {

/// "4f2a91c07d3e", "2026-11-25 22:14" where no commit is known: how a point is called. For people: escaped.
[[nodiscard]] std::string pointLabel(const inspector::HistoryPoint& point);
/// "pixel8"; with its method where a model has several. For people: escaped.
[[nodiscard]] std::string groupLabel(const inspector::Trend& trend, std::size_t group);
/// "10.02 ms -> 10.33 ms, +3.1 % [+2.6 %, +3.6 %]"
[[nodiscard]] std::string stepText(const inspector::LevelStep& step, bool cycles);
/// Nanoseconds or cycles.
[[nodiscard]] std::string trendTime(double time, bool cycles);

/// A row a group: how much was measured, the first level and the one of now.
[[nodiscard]] inspector::report::Table trendTable(const inspector::Trend& trend);
/// The table, and below it the changes: those of one commit together, with the operators that made them.
[[nodiscard]] std::string trendText(const inspector::Trend& trend, const inspector::report::Style& style);
/// docs/json.md.
[[nodiscard]] std::string trendJson(const inspector::Trend& trend);
/// The total of each group over its points, with levels and changes, as one SVG.
[[nodiscard]] std::string trendPicture(const inspector::Trend& trend);

}  // namespace et::app

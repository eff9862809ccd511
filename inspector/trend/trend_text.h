#pragma once

#include "inspector/trend/trend.h"

#include <cstddef>
#include <string>

namespace et::inspector {

/// Label of a point: "4f2a91c07d3e", or "2026-11-25 22:14" without a commit. Escaped for display.
[[nodiscard]] std::string pointLabel(const TrendPoint& point);
/// "pixel8"; with the method if a model has several. Escaped for display.
[[nodiscard]] std::string groupLabel(const Trend& trend, std::size_t group);
/// "10.02 ms -> 10.33 ms, +3.1 % [+2.6 %, +3.6 %]"
[[nodiscard]] std::string stepText(const LevelStep& step, bool cycles);
/// Formats nanoseconds or cycles.
[[nodiscard]] std::string trendTime(double time, bool cycles);

}  // namespace et::inspector

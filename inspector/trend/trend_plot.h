#pragma once

#include "inspector/plot/frame.h"
#include "inspector/trend/trend.h"

#include <cstddef>
#include <optional>
#include <string>

namespace et::inspector {

/// The times of a group, or of one of its operators.
struct TrendCurve {
    std::size_t group = 0;
    std::optional<std::size_t> operation{};  ///< in TrendGroup::operators; nothing: the total
    std::string title{};                     ///< above the plot
    std::optional<std::size_t> chosen{};     ///< point that is drawn larger
};

/// Adds one point per commit, with levels and their changes. Its first items are the points, in order.
void addTrend(plot::Scene& scene, const plot::Frame& frame, const Trend& trend, const TrendCurve& curve);

}  // namespace et::inspector

#include "app/output/cells.h"
#include "app/output/report/html.h"
#include "app/output/trend/site_page.h"
#include "inspector/comparison/statistics.h"
#include "inspector/trend/trend_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Trend;
using inspector::TrendGroup;
using inspector::TrendPoint;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

/// Maximum number of operators drawn per group; a page with all of them opens slowly.
constexpr std::size_t maxDrawnSeries = 20;

double timeNow(const inspector::OperatorTrend& of) {
    std::vector<double> times;
    std::ranges::copy_if(of.times, std::back_inserter(times), [](double time) { return !std::isnan(time); });
    constexpr std::size_t recent = 5;
    const std::size_t from = times.size() - std::min(times.size(), recent);
    return inspector::median(std::span(times).subspan(from));
}

/// Operators that changed and operators with the longest time, sorted by their current time.
std::vector<std::size_t> drawnOperators(const Trend& trend, std::size_t group) {
    const auto& operators = trend.groups[group].operators;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        order.emplace_back(-timeNow(operators[i]), i);
    }
    std::ranges::sort(order);
    std::set<std::size_t> changed;
    for (const auto& change : trend.changes) {
        for (const auto& step : change.operators) {
            if (change.group == group) {
                changed.insert(step.index);
            }
        }
    }
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i < maxDrawnSeries || changed.contains(order[i].second)) {
            drawn.push_back(order[i].second);
        }
    }
    return drawn;
}

Cell seriesCell(const Trend& trend, std::size_t group, std::optional<std::size_t> index, std::string name) {
    const TrendGroup& of = trend.groups[group];
    List times;
    for (std::size_t at = 0; at < of.points.size(); ++at) {
        const double time = index ? of.operators[*index].times[at] : of.points[at].total;
        times.push_back(std::isnan(time) ? Cell() : Cell(time));
    }
    List levels;
    for (const inspector::Level& level : levelsOf(trend, group, index)) {
        levels.emplace_back(
            List{static_cast<std::uint64_t>(level.from), static_cast<std::uint64_t>(level.to), level.time});
    }
    return List{std::move(name), std::move(times), std::move(levels)};
}

Cell groupCell(const Trend& trend, std::size_t number) {
    const TrendGroup& group = trend.groups[number];
    List points;
    for (const TrendPoint& point : group.points) {
        constexpr std::size_t toMinutes = 16;
        points.emplace_back(List{pointLabel(point), core::printable(point.measured.substr(0, toMinutes)),
                                 static_cast<std::uint64_t>(point.measurements)});
    }
    List series{seriesCell(trend, number, std::nullopt, "total")};
    for (const std::size_t index : drawnOperators(trend, number)) {
        series.push_back(
            seriesCell(trend, number, index, core::printable(inspector::text(group.operators[index].key))));
    }
    return Dict{{"unit", std::string(group.cycles ? "cycles" : "ns")},
                {"points", std::move(points)},
                {"series", std::move(series)}};
}

}  // namespace

std::string siteData(const Trend& trend) {
    List groups;
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        groups.push_back(groupCell(trend, i));
    }
    std::string json;
    inspector::format::appendJson(json,
                                  Cell(Dict{{"version", std::uint64_t{1}}, {"groups", std::move(groups)}}));
    return withoutMarkup(json);
}

}  // namespace et::output

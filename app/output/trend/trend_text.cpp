#include "inspector/trend/trend_text.h"

#include "app/output/cells.h"
#include "app/output/trend/trend_page.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using inspector::LevelStep;
using inspector::OperatorPresence;
using inspector::OperatorStep;
using inspector::Trend;
using inspector::TrendChange;
using inspector::TrendGroup;
using inspector::TrendPoint;
using inspector::trendTime;
using inspector::format::Cell;

/// Maximum number of operators listed.
constexpr std::size_t maxOperators = 10;

/// Groups changes by their first commit.
std::vector<std::vector<const TrendChange*>> byPoint(const Trend& trend) {
    std::vector<std::vector<const TrendChange*>> sorted;
    for (const TrendChange& change : trend.changes) {
        const std::string label = pointLabel(trend.pointOf(change));
        const auto place = std::ranges::find_if(sorted, [&](const auto& changes) {
            return pointLabel(trend.pointOf(*changes.front())) == label;
        });
        if (place != sorted.end()) {
            place->push_back(&change);
        } else {
            sorted.push_back({&change});
        }
    }
    return sorted;
}

std::string_view directionOf(const LevelStep& step) {
    return step.difference() > 0 ? "slower" : "faster";
}

std::string operatorLine(const TrendGroup& group, const OperatorStep& step) {
    const std::string name = core::printable(inspector::text(group.operators[step.index].key));
    const double difference = step.step.difference();
    const std::string time =
        fmt::format("{}{}", difference < 0 ? "-" : "+", trendTime(std::abs(difference), group.cycles));
    if (step.presence != OperatorPresence::Both) {
        return fmt::format("    {}: {}, {}\n", name, inspector::name(step.presence), time);
    }
    return fmt::format("    {}: {}, {}\n", name, time, stepText(step.step, group.cycles));
}

/// The lines of a change for one group.
std::string changeLines(const Trend& trend, const TrendChange& change) {
    const TrendGroup& group = trend.groupOf(change);
    std::string text = fmt::format(
        "  {}: {}", groupLabel(trend, change.group),
        change.totalMoved ? stepText(change.total, group.cycles) : std::string("total within the threshold"));
    if (change.earliest != change.latest) {
        text += fmt::format("; started between {} and {}", pointLabel(group.points[change.earliest]),
                            pointLabel(group.points[change.latest]));
    }
    text += "\n";
    for (std::size_t i = 0; i < std::min(maxOperators, change.operators.size()); ++i) {
        text += operatorLine(group, change.operators[i]);
    }
    if (change.operators.size() > maxOperators) {
        text += fmt::format("    {} more operators\n", change.operators.size() - maxOperators);
    }
    return text;
}

/// "slower", "faster", or "an operator slower" if only operators changed; for several groups, the common
/// part.
std::string headline(const std::vector<const TrendChange*>& changes) {
    std::vector<std::string> kinds;
    for (const TrendChange* const change : changes) {
        std::string kind = change->totalMoved || change->operators.empty()
                               ? std::string(directionOf(change->total))
                               : fmt::format("operators {}", directionOf(change->operators.front().step));
        if (!std::ranges::contains(kinds, kind)) {
            kinds.push_back(std::move(kind));
        }
    }
    return fmt::format("{}", fmt::join(kinds, ", "));
}

Cell timeCell(double time) {
    return time > 0 ? Cell(time) : Cell();
}

}  // namespace

Table trendTable(const Trend& trend) {
    const bool cycles = std::ranges::any_of(trend.groups, &TrendGroup::cycles);
    const Measure time = cycles ? Measure::Cycles : Measure::Nanoseconds;
    Table table{.columns = {textColumn("group"), numberColumn("points"), numberColumn("measurements"),
                            numberColumn("first", "first level", time), numberColumn("now", time),
                            textColumn("change", "last change"), textColumn("since")},
                .indexed = false};
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        const TrendGroup& group = trend.groups[i];
        const auto levels = levelsOf(trend, i);
        std::uint64_t measurements = 0;
        for (const TrendPoint& point : group.points) {
            measurements += point.measurements;
        }
        std::vector<Cell> row{groupLabel(trend, i), static_cast<std::uint64_t>(group.points.size()),
                              measurements, timeCell(levels.front().time), timeCell(levels.back().time)};
        if (levels.size() > 1 && levels[levels.size() - 2].time > 0) {
            row.emplace_back(readableChange(levels.back().time / levels[levels.size() - 2].time));
            row.emplace_back(pointLabel(group.points[levels.back().from]));
        } else {
            row.emplace_back(group.points.size() < inspector::minTrendPoints ? "too few points" : "none");
            row.emplace_back();
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string trendText(const Trend& trend, const Style& style) {
    const Style readable = style.withUnits();
    std::string text =
        core::printable(trend.model) + ":\n" + render(trendTable(trend), Format::Table, readable);
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        if (const std::size_t left = trend.groups[i].leftOut; left > 0) {
            text += fmt::format("{}: {} older points are ignored\n", groupLabel(trend, i), left);
        }
    }
    for (const auto& changes : byPoint(trend)) {
        const TrendPoint& point = trend.pointOf(*changes.front());
        text += fmt::format("{} since {}", headline(changes), pointLabel(point));
        text += point.commit.empty() ? ":\n"
                                     : fmt::format(" ({}):\n", core::printable(point.measured.substr(0, 10)));
        for (const TrendChange* const change : changes) {
            text += changeLines(trend, *change);
        }
    }
    if (trend.changes.empty()) {
        text += fmt::format("no change of {} or more\n", readablePercent(trend.options.threshold));
    }
    return text + (trend.slower()           ? "regression: slower\n"
                   : trend.anythingSlower() ? "no regression of a total, but slower operators\n"
                                            : "no regression\n");
}

}  // namespace et::output

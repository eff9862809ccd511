#include "app/output/cells.h"
#include "app/output/trend/trend_page.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::LevelStep;
using inspector::OperatorStep;
using inspector::TrackedOperator;
using inspector::Trend;
using inspector::TrendChange;
using inspector::TrendGroup;
using inspector::TrendPoint;
using inspector::format::Cell;
using inspector::format::Dict;
using inspector::format::List;

/// Incremented when the meaning of a key changes.
constexpr std::int64_t trendSchema = 1;

Cell commitCell(const TrendPoint& point) {
    return point.commit.empty() ? Cell() : Cell(point.commit);
}

Dict pointInfo(const TrendPoint& point) {
    return {{"commit", commitCell(point)},
            {"measured", point.measured},
            {"measurements", static_cast<std::uint64_t>(point.measurements)},
            {"runs", point.runs},
            {"p50", point.total}};
}

void addStep(Dict& info, const LevelStep& step) {
    info.emplace_back("before", step.before);
    info.emplace_back("after", step.after);
    info.emplace_back("ratio", step.before > 0 ? Cell(step.after / step.before) : Cell());
    info.emplace_back("ratio_low", step.ratio ? Cell(step.ratio->low) : Cell());
    info.emplace_back("ratio_high", step.ratio ? Cell(step.ratio->high) : Cell());
    info.emplace_back("probability", step.probability);
}

Dict operatorInfo(const TrendGroup& group, const OperatorStep& step) {
    const TrackedOperator& key = group.operators[step.index].key;
    Dict info{{"operator", key.name},
              {"kind", std::string(inspector::name(key.kind))},
              {"backend", key.backend},
              {"occurrence", std::uint64_t{key.occurrence}},
              {"presence", std::string(inspector::name(step.presence))}};
    addStep(info, step.step);
    return info;
}

Dict changeInfo(const Trend& trend, const TrendChange& change) {
    const TrendGroup& group = trend.groupOf(change);
    const TrendPoint& point = trend.pointOf(change);
    Dict info{{"group", static_cast<std::uint64_t>(change.group)},
              {"point", static_cast<std::uint64_t>(change.at)},
              {"commit", commitCell(point)},
              {"measured", point.measured},
              {"earliest", static_cast<std::uint64_t>(change.earliest)},
              {"latest", static_cast<std::uint64_t>(change.latest)},
              {"total_changed", change.totalMoved}};
    addStep(info, change.total);
    info.emplace_back("operators", listOf(change.operators, [&](const OperatorStep& each) {
                          return operatorInfo(group, each);
                      }));
    return info;
}

Dict groupInfo(const Trend& trend, std::size_t number) {
    const TrendGroup& group = trend.groups[number];
    List levels;
    for (const inspector::Level& level : levelsOf(trend, number)) {
        levels.emplace_back(Dict{{"from", static_cast<std::uint64_t>(level.from)},
                                 {"to", static_cast<std::uint64_t>(level.to)},
                                 {"p50", level.time}});
    }
    return {{"name", group.name},
            {"method", group.method},
            {"unit", std::string(group.cycles ? "ticks" : "ns")},
            {"left_out", static_cast<std::uint64_t>(group.leftOut)},
            {"points", listOf(group.points, [](const TrendPoint& point) { return pointInfo(point); })},
            {"levels", std::move(levels)}};
}

}  // namespace

std::string trendJson(const Trend& trend) {
    List groups;
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        groups.emplace_back(groupInfo(trend, i));
    }
    const std::vector<std::string>& by = trend.options.grouping.by;
    return jsonDocument(trendSchema, {{"model", trend.model},
                                      {"by", listOf(by)},
                                      {"threshold", trend.options.threshold},
                                      {"confidence", trend.options.confidence},
                                      {"slower", trend.slower()},
                                      {"operator_slower", trend.anythingSlower()},
                                      {"groups", std::move(groups)},
                                      {"changes", listOf(trend.changes, [&](const TrendChange& change) {
                                           return changeInfo(trend, change);
                                       })}});
}

}  // namespace et::output

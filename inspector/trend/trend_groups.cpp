#include "inspector/trend/trend_groups.h"

#include "inspector/comparison/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <tuple>

namespace et::inspector {
namespace {

constexpr std::string_view untagged = "(none)";

std::string groupName(const TrendEntry& entry, const std::vector<std::string>& by) {
    std::string name;
    bool isFirst = true;
    for (const std::string& key : by) {
        if (key == commitKey) {
            continue;
        }
        const auto tag = entry.tags.find(key);
        name += isFirst ? "" : ", ";
        name += tag == entry.tags.end() ? untagged : std::string_view(tag->second);
        isFirst = false;
    }
    return name;
}

/// Entries of each point, oldest first.
using PointEntries = std::vector<std::vector<const TrendEntry*>>;

/// A commit that was measured again later keeps its first position.
PointEntries groupIntoPoints(const std::vector<const TrendEntry*>& entries, bool byCommit) {
    PointEntries points;
    std::map<std::string_view, std::size_t> known;
    for (const TrendEntry* const entry : entries) {
        if (!byCommit || entry->commit.empty()) {
            points.push_back({entry});
            continue;
        }
        const auto [place, isNew] = known.try_emplace(entry->commit, points.size());
        if (isNew) {
            points.emplace_back();
        }
        points[place->second].push_back(entry);
    }
    return points;
}

TrendPoint pointOf(const std::vector<const TrendEntry*>& entries) {
    TrendPoint point{.commit = entries.front()->commit,
                     .measured = entries.front()->measured,
                     .measurements = entries.size()};
    std::vector<double> totals;
    for (const TrendEntry* const entry : entries) {
        point.runs += entry->runs;
        totals.push_back(entry->total);
        if (!entry->trace.empty()) {
            point.traces.push_back(entry->trace);
        }
    }
    point.total = median(totals);
    return point;
}

/// Operators of a group, in order of first execution.
std::vector<OperatorTrend> operatorsOf(const MeasuredModel& model, const PointEntries& points) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::optional<std::size_t>> places(model.operators.size());
    std::vector<OperatorTrend> operators;
    std::vector<std::vector<double>> times;  // of this point, by operator
    for (std::size_t at = 0; at < points.size(); ++at) {
        for (std::vector<double>& each : times) {
            each.clear();
        }
        for (const TrendEntry* const entry : points[at]) {
            for (const auto& [index, time] : entry->operators) {
                if (!places[index]) {
                    places[index] = operators.size();
                    operators.push_back({.key = model.operators[index],
                                         .times = std::vector<double>(points.size(), missing)});
                    times.emplace_back();
                }
                times[*places[index]].push_back(time);
            }
        }
        for (std::size_t i = 0; i < operators.size(); ++i) {
            operators[i].times[at] = times[i].empty() ? missing : median(times[i]);
        }
    }
    return operators;
}

}  // namespace

std::string text(const TrackedOperator& key) {
    return key.occurrence == 0 ? key.name : fmt::format("{} ({})", key.name, key.occurrence + 1);
}

std::vector<TrackedOperator> keysOf(const MethodTimes& method) {
    std::map<TrackedOperator, std::uint32_t> seen;
    std::vector<TrackedOperator> keys;
    keys.reserve(method.operators.size());
    for (const OperatorTimes& each : method.operators) {
        TrackedOperator key{.name = each.name, .kind = each.kind, .backend = each.backend};
        const std::uint32_t occurrence = seen[key]++;
        key.occurrence = occurrence;
        keys.push_back(std::move(key));
    }
    return keys;
}

std::vector<TrendGroup> groupTrend(const MeasuredModel& model, const TrendGrouping& options) {
    using Key = std::tuple<std::string, std::string, bool>;  // name, method, cycles
    std::map<Key, std::vector<const TrendEntry*>> sorted;
    for (const TrendEntry& entry : model.entries) {
        sorted[{groupName(entry, options.by), entry.method, entry.cycles}].push_back(&entry);
    }
    const bool byCommit = std::ranges::contains(options.by, commitKey);
    std::vector<TrendGroup> groups;
    for (const auto& [key, entries] : sorted) {
        const auto& [name, method, cycles] = key;
        TrendGroup group{.name = name, .method = method, .cycles = cycles};
        PointEntries points = groupIntoPoints(entries, byCommit);
        if (points.size() > options.maxPoints) {
            group.leftOut = points.size() - options.maxPoints;
            points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(group.leftOut));
        }
        for (const auto& each : points) {
            group.points.push_back(pointOf(each));
        }
        group.operators = operatorsOf(model, points);
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace et::inspector

#include "inspector/trend/trend.h"

#include "inspector/comparison/statistics_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <span>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;

/// Maximum share of points without the operator; above it, its times are not evaluated.
constexpr double maxMissing = 0.1;

/// A change point of a group's total or of one of its operators.
struct Member {
    std::optional<std::size_t> operatorIndex;  ///< empty: the total
    ChangePoint point;
};

/// Whether an operator is missing before a point, or from a point on, and present otherwise.
bool cameOrWent(std::span<const double> times) {
    const auto isMissing = [](double time) { return std::isnan(time); };
    const auto starts = std::ranges::find_if_not(times, isMissing);
    if (starts != times.begin()) {
        return std::none_of(starts, times.end(), isMissing);
    }
    const auto ends = std::ranges::find_if(times, isMissing);
    return ends != times.end() && std::all_of(ends, times.end(), isMissing);
}

/// The times, with missing ones replaced with the previous point's; empty if too many are missing.
std::vector<double> filled(const std::vector<double>& times) {
    const auto missing = std::ranges::count_if(times, [](double time) { return std::isnan(time); });
    if (static_cast<double>(missing) > maxMissing * static_cast<double>(times.size()) ||
        (missing > 0 && cameOrWent(times))) {
        return {};
    }
    std::vector<double> whole = times;
    double last = *std::ranges::find_if_not(whole, [](double time) { return std::isnan(time); });
    for (double& time : whole) {
        time = std::isnan(time) ? last : time;
        last = time;
    }
    return whole;
}

/// Drops changes of the level below the threshold, smallest first; the adjacent levels are then merged.
void keepLarge(std::vector<ChangePoint>& points, std::span<const double> series, double threshold) {
    for (;;) {
        std::optional<std::size_t> smallest;
        double least = threshold;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const std::size_t from = i == 0 ? 0 : points[i - 1].at;
            const std::size_t to = i + 1 < points.size() ? points[i + 1].at : series.size();
            const double before = median(series.subspan(from, points[i].at - from));
            const double after = median(series.subspan(points[i].at, to - points[i].at));
            const double change = before > 0 ? std::abs(after / before - 1) : (after > 0 ? threshold : 0);
            if (change < least) {
                least = change;
                smallest = i;
            }
        }
        if (!smallest) {
            return;
        }
        points.erase(points.begin() + static_cast<std::ptrdiff_t>(*smallest));
    }
}

/// Series searched in a group: its total, or its operators.
struct Searched {
    std::vector<SeriesGroup> groups;
    std::vector<std::vector<std::optional<std::size_t>>> members;  ///< owner of each series
};

Searched totalsOf(const std::vector<TrendGroup>& groups) {
    Searched searched;
    for (const TrendGroup& group : groups) {
        std::vector<double> totals;
        std::ranges::transform(group.points, std::back_inserter(totals), &TrendPoint::total);
        searched.groups.push_back({.series = {std::move(totals)}});
        searched.members.push_back({std::nullopt});
    }
    return searched;
}

Searched operatorsOf(const std::vector<TrendGroup>& groups) {
    Searched searched;
    for (const TrendGroup& group : groups) {
        SeriesGroup series;
        std::vector<std::optional<std::size_t>> members;
        for (std::size_t i = 0; i < group.operators.size() && group.points.size() >= minTrendPoints; ++i) {
            if (std::vector<double> times = filled(group.operators[i].times); !times.empty()) {
                series.series.push_back(std::move(times));
                members.emplace_back(i);
            }
        }
        searched.groups.push_back(std::move(series));
        searched.members.push_back(std::move(members));
    }
    return searched;
}

/// Finds the changes in each group.
void search(const Searched& searched, const TrendOptions& options, std::vector<std::vector<Member>>& found) {
    // Half of the allowed false alarms for totals, half for operators.
    const ChangeOptions change{.alarmRate = (1 - options.confidence) / 2, .seed = options.seed};
    auto points = findChangePoints(searched.groups, change);
    for (std::size_t group = 0; group < points.size(); ++group) {
        for (std::size_t i = 0; i < points[group].size(); ++i) {
            keepLarge(points[group][i], searched.groups[group].series[i], options.threshold);
            for (const ChangePoint& point : points[group][i]) {
                found[group].push_back({.operatorIndex = searched.members[group][i], .point = point});
            }
        }
    }
}

/// Maximum distance in points of changes that are merged.
constexpr std::size_t maxApart = 5;

/// Members of one group that may be a single change: their confidence sets are close to that of the clearest,
/// which determines the position.
struct Cluster {
    ChangePoint clearest;
    std::vector<Member> members;

    [[nodiscard]] bool takes(const Member& member) const {
        const bool sameTime = member.point.earliest <= clearest.latest + maxApart &&
                              clearest.earliest <= member.point.latest + maxApart;
        return sameTime && std::ranges::none_of(members, [&](const Member& each) {
                   return each.operatorIndex == member.operatorIndex;
               });
    }
};

std::vector<Cluster> formClusters(std::vector<Member> members) {
    std::ranges::stable_sort(members, std::ranges::greater{},
                             [](const Member& member) { return member.point.deviations; });
    std::vector<Cluster> clusters;
    for (Member& member : members) {
        const auto place =
            std::ranges::find_if(clusters, [&](const Cluster& each) { return each.takes(member); });
        if (place != clusters.end()) {
            place->members.push_back(std::move(member));
        } else {
            clusters.push_back({.clearest = member.point, .members = {member}});
        }
    }
    std::ranges::sort(clusters, {}, [](const Cluster& each) { return each.clearest.at; });
    return clusters;
}

LevelStep stepOf(const TimeTest& test, double probability) {
    return {.before = test.medianA,
            .after = test.medianB,
            .ratio = test.ratioInterval,
            .probability = probability};
}

/// Describes a change of a group.
class ChangeReader {
  public:
    /// The levels around the change last from `first` to `last`.
    ChangeReader(const TrendGroup& of, const Cluster& with, std::size_t first, std::size_t last)
        : group(of), cluster(with), from(first), at(with.clearest.at), to(last) {}

    [[nodiscard]] TrendChange read(std::size_t number, const TrendOptions& options) const {
        const TestOptions test{.threshold = options.threshold, .confidence = options.confidence};
        TrendChange change{.group = number,
                           .at = at,
                           .earliest = cluster.clearest.earliest,
                           .latest = cluster.clearest.latest};
        std::vector<double> totals;
        std::ranges::transform(group.points, std::back_inserter(totals), &TrendPoint::total);
        const Member* const total = memberOf(std::nullopt);
        const double probability =
            total != nullptr ? total->point.probability : totalByChance(before(totals), after(totals));
        change.total = stepOf(testTimes(before(totals), after(totals), test), probability);
        change.totalMoved =
            total != nullptr || (probability <= (1 - options.confidence) / 2 &&
                                 std::abs(change.total.change().value_or(0)) >= options.threshold);
        change.operators = operatorSteps(test, change.totalMoved);
        std::ranges::stable_sort(change.operators, std::ranges::greater{},
                                 [](const OperatorStep& each) { return std::abs(each.step.difference()); });
        return change;
    }

  private:
    [[nodiscard]] std::span<const double> before(std::span<const double> series) const {
        return series.subspan(from, at - from);
    }
    [[nodiscard]] std::span<const double> after(std::span<const double> series) const {
        return series.subspan(at, to - at);
    }
    [[nodiscard]] const Member* memberOf(std::optional<std::size_t> index) const {
        const auto found = std::ranges::find(cluster.members, index, &Member::operatorIndex);
        return found == cluster.members.end() ? nullptr : &*found;
    }

    /// Tests the total at a position given by operators, which needs less evidence than a free choice of
    /// position.
    [[nodiscard]] static double totalByChance(std::span<const double> old, std::span<const double> recent) {
        return std::min(1.0, 2 * std::min(aboveByChance(old, recent), aboveByChance(recent, old)));
    }

    /// Operators with a change point here. If the total changed, also those whose times before and after
    /// differ by the tests used for comparisons, and those that were added or removed.
    [[nodiscard]] std::vector<OperatorStep> operatorSteps(const TestOptions& options, bool totalMoved) const {
        std::vector<OperatorStep> steps;
        std::vector<std::vector<double>> series;
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < group.operators.size(); ++i) {
            if (std::vector<double> times = filled(group.operators[i].times); !times.empty()) {
                series.push_back(std::move(times));
                indices.push_back(i);
            } else if (const auto step = comingOrGoing(group.operators[i].times); step && totalMoved) {
                steps.push_back({.index = i, .presence = step->first, .step = step->second});
            }
        }
        std::vector<SamplePair> family;
        for (const std::vector<double>& each : series) {
            family.push_back({.a = before(each), .b = after(each)});
        }
        const std::vector<TimeTest> tests = testTimes(family, options);
        for (std::size_t i = 0; i < tests.size(); ++i) {
            const Member* const own = memberOf(indices[i]);
            const bool differs =
                tests[i].verdict == TimeVerdict::Slower || tests[i].verdict == TimeVerdict::Faster;
            if (own != nullptr || (totalMoved && differs)) {
                steps.push_back({.index = indices[i],
                                 .step = stepOf(tests[i], own != nullptr ? own->point.probability : 1)});
            }
        }
        return steps;
    }

    /// For an operator that ran on one side of the change only.
    [[nodiscard]] std::optional<std::pair<OperatorPresence, LevelStep>> comingOrGoing(
        std::span<const double> times) const {
        const auto present = [](std::span<const double> part) {
            std::vector<double> there;
            std::ranges::copy_if(part, std::back_inserter(there),
                                 [](double time) { return !std::isnan(time); });
            return there;
        };
        const std::vector<double> old = present(before(times));
        const std::vector<double> recent = present(after(times));
        if (old.empty() == recent.empty()) {
            return std::nullopt;
        }
        return std::pair(old.empty() ? OperatorPresence::Added : OperatorPresence::Removed,
                         LevelStep{.before = median(old), .after = median(recent)});
    }

    const TrendGroup& group;
    const Cluster& cluster;
    std::size_t from;
    std::size_t at;
    std::size_t to;
};

core::Result<> check(const TrendOptions& options) {
    if (!(options.threshold >= 0) || options.threshold > 10) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a threshold from 0 to 1000 %, got {} %", options.threshold * 100));
    }
    if (!(options.confidence >= 0.5) || options.confidence > 0.999) {
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("expected a confidence from 50 to 99.9 %, got {} %", options.confidence * 100));
    }
    return {};
}

}  // namespace

std::string_view name(OperatorPresence presence) {
    return operatorPresences[static_cast<std::size_t>(presence)].name;
}

std::optional<double> LevelStep::change() const {
    return before > 0 ? std::optional(after / before - 1) : std::nullopt;
}

bool Trend::slower() const {
    std::map<std::size_t, bool> last;
    for (const TrendChange& change : changes) {
        if (change.totalMoved) {
            last[change.group] = change.total.difference() > 0;
        }
    }
    return std::ranges::contains(last | std::views::values, true);
}

bool Trend::anythingSlower() const {
    std::map<std::pair<std::size_t, std::size_t>, bool> last;
    for (const TrendChange& change : changes) {
        for (const OperatorStep& each : change.operators) {
            last[{change.group, each.index}] = each.step.difference() > 0;
        }
    }
    return slower() || std::ranges::contains(last | std::views::values, true);
}

std::vector<Level> levelsOf(const Trend& trend, std::size_t group, std::optional<std::size_t> operatorIndex) {
    const TrendGroup& of = trend.groups[group];
    std::vector<double> times;
    if (operatorIndex) {
        times = of.operators[*operatorIndex].times;
    } else {
        std::ranges::transform(of.points, std::back_inserter(times), &TrendPoint::total);
    }
    std::vector<std::size_t> ends;
    for (const TrendChange& change : trend.changes) {
        const bool isOfIt =
            operatorIndex ? std::ranges::contains(change.operators, *operatorIndex, &OperatorStep::index)
                          : change.totalMoved;
        if (change.group == group && isOfIt) {
            ends.push_back(change.at);
        }
    }
    std::ranges::sort(ends);
    ends.push_back(times.size());
    std::vector<Level> levels;
    std::size_t from = 0;
    for (const std::size_t to : ends) {
        std::vector<double> there;
        std::copy_if(times.begin() + static_cast<std::ptrdiff_t>(from),
                     times.begin() + static_cast<std::ptrdiff_t>(to), std::back_inserter(there),
                     [](double time) { return !std::isnan(time); });
        if (!there.empty()) {
            levels.push_back({.from = from, .to = to, .time = median(there)});
        }
        from = to;
    }
    return levels;
}

core::Result<Trend> findTrend(const MeasuredModel& model, const TrendOptions& options) {
    ET_TRY(check(options));
    if (model.entries.empty()) {
        return fail(ErrorCode::NotFound, fmt::format("no measurements of '{}'", model.name));
    }
    Trend trend{.model = model.name, .options = options, .groups = groupTrend(model, options.grouping)};
    std::vector<std::vector<Member>> members(trend.groups.size());
    search(totalsOf(trend.groups), options, members);
    search(operatorsOf(trend.groups), options, members);
    for (std::size_t group = 0; group < trend.groups.size(); ++group) {
        const std::vector<Cluster> clusters = formClusters(std::move(members[group]));
        for (std::size_t i = 0; i < clusters.size(); ++i) {
            const std::size_t from = i == 0 ? 0 : clusters[i - 1].clearest.at;
            const std::size_t to =
                i + 1 < clusters.size() ? clusters[i + 1].clearest.at : trend.groups[group].points.size();
            if (from < clusters[i].clearest.at) {
                trend.changes.push_back(
                    ChangeReader(trend.groups[group], clusters[i], from, to).read(group, options));
            }
        }
    }
    std::ranges::stable_sort(trend.changes, {}, [&](const TrendChange& change) {
        return std::pair(trend.pointOf(change).measured, trend.groupOf(change).name);
    });
    return trend;
}

}  // namespace et::inspector

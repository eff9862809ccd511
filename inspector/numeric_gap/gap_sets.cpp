#include "inspector/numeric_gap/gap_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <list>
#include <tuple>
#include <unordered_map>

namespace et::inspector {
namespace {

/// Severity of a row, for comparison with rows of other sets.
auto badness(const GapReportRow& row) {
    const bool unequal =
        std::ranges::any_of(row.outputs, [](const GapOutput& each) { return !each.difference.empty(); });
    const double number = metricOf(row, GapMetric::Mse).value_or(-1);
    const double error = unequal || std::isnan(number) ? std::numeric_limits<double>::infinity() : number;
    return std::tuple(row.own && row.own->diverges, row.own ? row.own->ownSteps : -1, error);
}

std::string keyOf(const GapOperator& row) {
    std::string key = fmt::format("{}/{}", row.instruction, static_cast<int>(row.place));
    for (const core::DebugHandle each : row.referenceHandles) {
        key += fmt::format("/{}", each.value);
    }
    return fmt::format("{}/{}", key, fmt::join(row.runtimeOps, "/"));
}

/// The report without rows and references to them.
GapReport headOf(const GapReport& report) {
    GapReport head;
    head.method = report.method;
    head.bisected = report.bisected;
    head.triedInputs = report.triedInputs;
    head.emulated = report.emulated;
    head.warnings = report.warnings;
    return head;
}

/// The first row that diverges in this report's own rows.
std::optional<GapDivergence> findFirstDivergence(const GapReport& report,
                                                 std::span<const std::string> setNames) {
    const auto found = std::ranges::find_if(
        report.rows, [](const GapReportRow& row) { return row.own && row.own->diverges; });
    if (found == report.rows.end()) {
        return std::nullopt;
    }
    return GapDivergence{.row = static_cast<std::size_t>(found - report.rows.begin()),
                         .own = found->own,
                         .inputs = {setNames[found->set]}};
}

/// Merges the rows of all sets in execution order.
class Merge {
  public:
    void add(std::span<const GapReportRow> set);
    [[nodiscard]] std::vector<GapReportRow> rows() const {
        std::vector<GapReportRow> all;
        std::ranges::transform(merged, std::back_inserter(all), [](const GapReportRow* row) { return *row; });
        return all;
    }

  private:
    using Place = std::list<const GapReportRow*>::iterator;
    std::list<const GapReportRow*> merged;
    std::unordered_map<std::string, Place> places;
};

void Merge::add(std::span<const GapReportRow> set) {
    std::unordered_map<std::string, std::size_t> times;  // an operator may have several rows in a set
    Place next = merged.begin();
    for (const GapReportRow& row : set) {
        const std::string key = keyOf(row);
        const auto [known, isNew] = places.try_emplace(fmt::format("{}/{}", key, times[key]++), next);
        if (isNew) {
            known->second = merged.insert(next, &row);
            continue;
        }
        if (badness(row) > badness(**known->second)) {
            *known->second = &row;
        }
        next = std::next(known->second);
    }
}

}  // namespace

bool isSameOperator(const GapOperator& left, const GapOperator& right) {
    return left.instruction == right.instruction && left.place == right.place &&
           left.referenceHandles == right.referenceHandles && left.runtimeOps == right.runtimeOps;
}

std::vector<std::string> setsOf(const GapReport& report) {
    std::vector<std::string> names{report.inputs};
    for (const GapSet& each : report.otherSets) {
        names.push_back(each.inputs);
    }
    return names;
}

std::size_t setOfFirstDivergence(const GapReport& report) {
    if (!report.firstDivergence || report.firstDivergence->inputs.empty()) {
        return 0;
    }
    const std::vector<std::string> names = setsOf(report);
    const auto found = std::ranges::find(names, report.firstDivergence->inputs.front());
    return found == names.end() ? 0 : static_cast<std::size_t>(found - names.begin());
}

GapReport reportOfSet(const GapReport& report, std::size_t set) {
    GapReport shown = headOf(report);
    const std::vector<std::string> names = setsOf(report);
    if (set >= names.size()) {
        return shown;
    }
    shown.inputs = names[set];
    shown.rows = set == 0 ? report.rows : report.otherSets[set - 1].rows;
    shown.firstDivergence = findFirstDivergence(shown, names);
    return shown;
}

GapReport worstOfSets(const GapReport& report) {
    const std::vector<std::string> names = setsOf(report);
    GapReport shown = headOf(report);
    shown.inputs = "worst of all";
    Merge merge;
    merge.add(report.rows);
    for (const GapSet& each : report.otherSets) {
        merge.add(each.rows);
    }
    shown.rows = merge.rows();
    shown.firstDivergence = findFirstDivergence(shown, names);
    return shown;
}

}  // namespace et::inspector

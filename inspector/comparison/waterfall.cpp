#include "inspector/comparison/waterfall.h"

#include "inspector/comparison/readable_times.h"
#include "inspector/join/instruction_keys.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace et::inspector {
namespace {

using join::detail::InstructionKey;

/// From B if it has the row, else from A.
InstructionKey placeOf(const ComparisonRow& row) {
    return {row.shown().chain, row.shown().instruction};
}

/// Change of a single row; a missing side counts as zero time.
double changeOf(const ComparisonRow& row) {
    return row.test.medianB - row.test.medianA;
}

/// Sum of the changes of the rows inside each delegate call.
std::map<InstructionKey, double> insideOf(const std::vector<ComparisonRow>& rows) {
    std::map<InstructionKey, double> inside;
    for (const ComparisonRow& row : rows) {
        if (row.shown().kind == OperatorKind::DelegatedOperator) {
            inside[placeOf(row)] += changeOf(row);
        }
    }
    return inside;
}

std::string nameOf(const ComparisonRow& row, WaterfallBy by) {
    if (by == WaterfallBy::Operator) {
        return readableName(row.shown());
    }
    return row.shown().module.empty() ? "no module" : row.shown().module;
}

/// One step per row or per module.
std::vector<WaterfallStep> allSteps(const MethodComparison& method, WaterfallBy by) {
    const std::map<InstructionKey, double> inside = insideOf(method.rows);
    std::vector<WaterfallStep> steps;
    std::map<std::string, std::size_t> known;
    std::vector<double> largest;  // largest change of a row in each step
    for (std::size_t i = 0; i < method.rows.size(); ++i) {
        const ComparisonRow& row = method.rows[i];
        double change = changeOf(row);
        if (const auto found = inside.find(placeOf(row));
            row.shown().kind == OperatorKind::DelegateCall && found != inside.end()) {
            change -= found->second;
        }
        const std::string name = nameOf(row, by);
        const auto at = by == WaterfallBy::Module ? known.find(name) : known.end();
        if (at == known.end()) {
            known.emplace(name, steps.size());
            steps.push_back({.name = name, .change = change, .count = 1, .row = i});
            largest.push_back(std::abs(change));
            continue;
        }
        WaterfallStep& step = steps[at->second];
        step.change += change;
        ++step.count;
        if (std::abs(change) > largest[at->second]) {
            largest[at->second] = std::abs(change);
            step.row = i;
        }
    }
    return steps;
}

}  // namespace

Waterfall makeWaterfall(const MethodComparison& method, WaterfallBy by, std::size_t most) {
    Waterfall out{.from = method.total.medianA, .to = method.total.medianB};
    out.steps = allSteps(method, by);
    std::erase_if(out.steps, [](const WaterfallStep& step) { return step.change == 0; });
    std::ranges::stable_sort(out.steps, std::ranges::greater{},
                             [](const WaterfallStep& step) { return std::abs(step.change); });
    double left = out.to - out.from;
    for (const WaterfallStep& step : out.steps) {
        left -= step.change;
    }
    if (out.steps.size() > most) {
        WaterfallStep others{.name = "others", .change = 0, .count = 0, .row = std::nullopt};
        for (std::size_t i = most; i < out.steps.size(); ++i) {
            others.change += out.steps[i].change;
            others.count += out.steps[i].count;
        }
        out.steps.resize(most);
        out.steps.push_back(std::move(others));
    }
    if (left != 0) {
        out.steps.push_back({.name = "between operators", .change = left, .count = 0, .row = std::nullopt});
    }
    return out;
}

}  // namespace et::inspector

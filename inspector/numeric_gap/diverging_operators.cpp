#include "inspector/numeric_gap/diverging_operators.h"

#include <algorithm>

namespace et::inspector {
namespace {

bool isSameRow(const GapRow& left, const GapRow& right) {
    return left.instruction == right.instruction && left.place == right.place &&
           left.edgeNodes == right.edgeNodes && left.runtimeOps == right.runtimeOps;
}

void add(const NumericGap& gap, const GapRow& row, std::vector<DivergingOperator>& all) {
    const auto known =
        std::ranges::find_if(all, [&](const DivergingOperator& each) { return isSameRow(*each.row, row); });
    if (known != all.end()) {
        known->inputs.push_back(gap.inputs);
    } else {
        all.push_back({.row = &row, .inputs = {gap.inputs}});
    }
}

}  // namespace

std::vector<DivergingOperator> divergingOperators(Gaps gaps) {
    std::vector<DivergingOperator> all;
    for (const auto& gap : gaps) {
        for (const GapRow& row : gap->rows) {
            if (row.own && row.own->diverges) {
                add(*gap, row, all);
            }
        }
    }
    return all;
}

std::optional<std::size_t> firstDivergingGap(Gaps gaps) {
    const auto found =
        std::ranges::find_if(gaps, [](const auto& gap) { return gap->firstDivergence.has_value(); });
    return found == gaps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - gaps.begin()));
}

std::vector<std::string> makeWarnings(Gaps gaps) {
    std::vector<std::string> all;
    for (const auto& gap : gaps) {
        for (const std::string& each : gap->warnings) {
            if (!std::ranges::contains(all, each)) {
                all.push_back(each);
            }
        }
    }
    return all;
}

}  // namespace et::inspector

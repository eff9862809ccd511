#include "app/output/cells.h"
#include "app/output/gap/gap_info.h"
#include "inspector/numeric_gap/gap_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace et::output {
namespace {

using inspector::GapMetric;
using inspector::GapPair;
using inspector::GapRow;
using inspector::NumericGap;

constexpr std::array usualColumns{
    GapColumn{"aot_debug_handle", "aot_debug_handle", "debug handles of the graph's nodes", false},
    GapColumn{"aot_ops", "aot_ops", "nodes of the exported program; inside delegates, of the Edge graph",
              false},
    GapColumn{"runtime_debug_handle", "runtime_debug_handle", "debug handles of the runtime's operators",
              false},
    GapColumn{"runtime_ops", "runtime_ops", "events of the runtime; inside delegates, their operators",
              false},
    GapColumn{"gap", "gap", "value of the metric (--metric), one per output", true},
    GapColumn{"max_abs", "max abs", "largest absolute difference", true},
    GapColumn{"snr", "SNR (dB)",
              "ratio of the power of the reference to the power of the difference; inf: equal", true},
    GapColumn{"module", "module", "innermost Python module", false},
};
constexpr std::array bisectColumns{
    GapColumn{"own_error", "own", "largest own error, on the runtime inputs (--bisect)", true},
    GapColumn{"inherited_error", "inherited", "largest error caused by its inputs (--bisect)", true},
    GapColumn{"own_steps", "steps", "own error as a multiple of the rounding tolerance (--bisect)", true},
    GapColumn{"verdict", "verdict", "whether rounding explains the own error (--bisect)", false},
};
constexpr auto allColumns = [] {
    std::array<GapColumn, usualColumns.size() + bisectColumns.size()> all{};
    std::ranges::copy(bisectColumns, std::ranges::copy(usualColumns, all.begin()).out);
    return all;
}();

Cell handlesCell(std::span<const core::DebugHandle> handles) {
    return listOf(handles, [](const core::DebugHandle each) { return each.value; });
}

Cell numberCell(double number, bool forPeople) {
    if (std::isnan(number)) {
        return std::string("nan");  // tables leave the number empty
    }
    return forPeople ? Cell(fmt::format("{:.4g}", number)) : Cell(number);
}

Cell metricCell(const GapRow& row, GapMetric metric, bool forPeople) {
    if (row.pairs.size() == 1 && row.pairs.front().numbers[metric]) {
        return numberCell(*row.pairs.front().numbers[metric], forPeople);
    }
    return row.pairs.size() > 1
               ? Cell(listOf(row.pairs,
                             [&](const GapPair& pair) { return optionalCell(pair.numbers[metric]); }))
               : Cell();
}

void addOwn(const GapRow& row, bool forPeople, std::vector<Cell>& cells) {
    if (!row.own) {
        cells.resize(cells.size() + bisectColumns.size());
        if (row.sensitivity) {
            cells.back() = fmt::format("sensitivity {:.3g}", *row.sensitivity);
        }
        return;
    }
    cells.push_back(numberCell(row.own->own, forPeople));
    cells.push_back(numberCell(row.own->inherited, forPeople));
    cells.push_back(numberCell(row.own->ownSteps, forPeople));
    cells.emplace_back(row.own->diverges              ? std::string("diverges")
                       : row.own->explanation.empty() ? std::string("ok")
                                                      : "explained by " + row.own->explanation);
}

/// Empty for a row without debug handles.
std::string handleText(const GapRow& row) {
    return row.referenceHandles.empty()
               ? std::string()
               : fmt::format("debug handle {}", fmt::join(numbersOf(row.referenceHandles), ", "));
}

std::string describeDivergence(const GapRow& row, std::string_view inputs) {
    const std::string handles = handleText(row);
    std::string text =
        fmt::format("first divergence (inputs: {}): {} ({}){}{}\n", inputs, fmt::join(row.edgeNodes, ", "),
                    fmt::join(row.runtimeOps, ", "), handles.empty() ? "" : ", ", handles);
    text += fmt::format("  {}\n", row.own->reason);
    text += fmt::format("  own error {:.4g}, inherited {:.4g}, total {:.4g}\n", row.own->own,
                        row.own->inherited, row.own->total);
    if (const std::string line = inspector::pythonLineOf(row); !line.empty()) {
        text += fmt::format("  {}\n", line);
    }
    if (!row.module.empty()) {
        text += fmt::format("  module {}\n", row.module);
    }
    if (!row.inputs.empty()) {
        text += fmt::format("  inputs {}\n", fmt::join(row.inputs, ", "));
    }
    if (!row.pairs.empty() && row.pairs.front().runtimeQuantization) {
        const auto& parameters = *row.pairs.front().runtimeQuantization;
        text += fmt::format("  scale {:g}, zero point {}\n", parameters.scale, parameters.zeroPoint);
    }
    return text;
}

/// The first divergence, and operators that diverge on some inputs only.
std::string bisectSummary(inspector::Gaps gaps, const tasks::GapSettings& settings) {
    if (!settings.bisect) {
        return {};
    }
    std::vector<std::string> names;
    for (const auto& gap : gaps) {
        names.push_back(gap->inputs);
    }
    const auto which = inspector::firstDivergingGap(gaps);
    if (!which) {
        return fmt::format("no operator diverges: rounding explains every own error (inputs: {})\n",
                           fmt::join(names, ", "));
    }
    const NumericGap& gap = *gaps[*which];
    std::string text = describeDivergence(gap.rows[*gap.firstDivergence], gap.inputs);
    for (const inspector::DivergingOperator& each : inspector::divergingOperators(gaps)) {
        if (each.inputs.size() < gaps.size()) {
            text += fmt::format("diverges only on some inputs ({}): {} ({})\n", fmt::join(each.inputs, ", "),
                                fmt::join(each.row->edgeNodes, ", "), handleText(*each.row));
        }
    }
    return text;
}

}  // namespace

std::span<const GapColumn> gapColumns() {
    return allColumns;
}

Table gapTable(const NumericGap& gap, const tasks::GapSettings& settings, bool forPeople) {
    Table table{.columns = {}, .rows = {}, .indexed = true, .heat = {}};
    const std::span shown =
        settings.bisect ? std::span<const GapColumn>(allColumns) : std::span<const GapColumn>(usualColumns);
    for (const GapColumn& column : shown) {
        table.columns.push_back({.id = column.id,
                                 .header = column.header,
                                 .numeric = column.numeric,
                                 .shortenLists = !column.numeric});
    }
    for (const GapRow& row : gap.rows) {
        std::vector<Cell> cells{handlesCell(row.referenceHandles),
                                listOf(row.referenceOps),
                                handlesCell(row.runtimeHandles),
                                listOf(row.runtimeOps),
                                metricCell(row, settings.metric, forPeople),
                                metricCell(row, GapMetric::MaxAbsolute, forPeople),
                                metricCell(row, GapMetric::Snr, forPeople),
                                row.module};
        if (settings.bisect) {
            addOwn(row, forPeople, cells);
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string gapSummary(inspector::Gaps gaps, const tasks::GapSettings& settings) {
    std::string caches;
    for (const inspector::GapCache& cache : gaps.front()->caches) {
        caches += describe(cache) + "\n";
    }
    return caches + bisectSummary(gaps, settings);
}

}  // namespace et::output

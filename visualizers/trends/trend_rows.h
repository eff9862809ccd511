#pragma once

#include "inspector/history/trend.h"
#include "visualizers/toolkit/report_table_model.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// "pixel8, forward"; the method alone where measurements are of no device.
[[nodiscard]] QString trendGroupName(const inspector::Trend& trend, std::size_t group);
/// The commit, or else the moment, of a point.
[[nodiscard]] QString trendPointName(const inspector::HistoryPoint& point);
/// "+3.1 %"; "new" where there was no time before.
[[nodiscard]] QString changeText(double before, double after);

/// What a row of trendRows() is about.
struct TrendRow {
    std::size_t change = 0;                  ///< in Trend::changes
    std::optional<std::size_t> operation{};  ///< in HistoryGroup::operators; nothing: the total
};
struct TrendTable {
    ReportRows rows;
    std::vector<TrendRow> about;  ///< by row
};

/// The changes of a trend, latest first, each with the operators that moved below it.
[[nodiscard]] TrendTable trendRows(const inspector::Trend& trend);

}  // namespace et::visualizers

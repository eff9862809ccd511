#pragma once

#include "inspector/trend/trend.h"
#include "visualizers/toolkit/report_table_model.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// "pixel8, forward"; only the method if the measurements have no device.
[[nodiscard]] QString trendGroupName(const inspector::Trend& trend, std::size_t group);
/// "+3.1 %"; "new" if there was no time before.
[[nodiscard]] QString changeText(double before, double after);

/// Subject of a row of trendRows().
struct TrendRow {
    std::size_t change = 0;                  ///< in Trend::changes
    std::optional<std::size_t> operation{};  ///< in TrendGroup::operators; nothing: the total
};
struct TrendTable {
    ReportRows rows;
    std::vector<TrendRow> about;  ///< by row
};

/// The changes of a trend, latest first, each with its changed operators below it.
[[nodiscard]] TrendTable trendRows(const inspector::Trend& trend);

}  // namespace et::visualizers

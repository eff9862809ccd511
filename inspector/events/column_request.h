#pragma once

#include "inspector/format/table.h"
#include "inspector/format/time_scale.h"
#include "runtime/core/result.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Last step of building a table, for rows of any kind (events, groups): selects columns, order and row
/// count.
///
/// A `Rule` describes one column of such rows. It requires toColumn(rule, TimeScale); the caller's `value`
/// returns its value for a row.
namespace et::inspector::events {

/// Placeholder unit of a rule, replaced with the target unit.
inline constexpr std::string_view timeUnit = "ms";
inline constexpr std::string_view percentUnit = "%";

/// A column with its displayed header: "p50 (us)".
[[nodiscard]] format::Column makeColumn(std::string_view id, std::string_view unit, bool numeric,
                                        TimeScale target);

/// A parsed EventTableOptions::sort.
struct SortKey {
    enum class Direction : std::uint8_t { Natural, Ascending, Descending };
    std::string_view column;                   ///< borrowed from the text
    Direction direction = Direction::Natural;  ///< Natural: numbers in descending order, texts A to Z
};
[[nodiscard]] SortKey parseSortKey(std::string_view text);

/// Indices of `cells` in sorted order; stable, cells without a value last.
[[nodiscard]] std::vector<std::size_t> sortedOrder(const std::vector<format::Cell>& cells,
                                                   const format::Column& column,
                                                   SortKey::Direction direction);

/// The error for an unknown column id. `where`: " in groups", or empty.
[[nodiscard]] core::Error unknownColumn(std::string_view id, std::string_view where,
                                        std::span<const std::string_view> known);

/// Requested columns, order and size of a table.
template <class Rule>
struct ColumnRequest {
    std::vector<const Rule*> shown;
    const Rule* sortedBy = nullptr;  ///< need not be shown; null: rows keep their order
    SortKey::Direction direction = SortKey::Direction::Natural;
    std::optional<std::size_t> top;  ///< number of rows to keep after sorting
};

/// Builds a table from the rows: sorted, limited, and each column filled once. `value(rule, row)` is a Cell;
/// `share(row)` is the share (0 to 1) of the time that colours the row.
template <class Row, class Rule, class Value, class Share>
[[nodiscard]] format::Table tabulate(const std::vector<Row>& rows, const ColumnRequest<Rule>& request,
                                     TimeScale target, Value value, Share share) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (request.sortedBy != nullptr) {
        std::vector<format::Cell> keys;
        for (const Row& row : rows) {
            keys.push_back(value(*request.sortedBy, row));
        }
        order = sortedOrder(keys, toColumn(*request.sortedBy, target), request.direction);
    }
    order.resize(std::min(order.size(), request.top.value_or(order.size())));
    format::Table table;
    for (const Rule* rule : request.shown) {
        table.columns.push_back(toColumn(*rule, target));
    }
    for (const std::size_t at : order) {
        std::vector<format::Cell>& cells = table.rows.emplace_back();
        for (const Rule* rule : request.shown) {
            cells.push_back(value(*rule, rows[at]));
        }
        table.heat.push_back(share(rows[at]));
    }
    return table;
}

}  // namespace et::inspector::events

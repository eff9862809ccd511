#include "inspector/events/event_table.h"

#include "inspector/events/event_columns.h"
#include "inspector/events/event_json.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/grouping.h"
#include "inspector/events/row_order.h"
#include "inspector/events/row_selection.h"
#include "inspector/format/formats.h"
#include "inspector/names/operator_names.h"

#include <algorithm>
#include <numeric>

namespace et::inspector::report {
namespace {

using Rules = std::vector<const EventColumnRule*>;

/// Positions of the rows to show, in file order. The reference leaves out every name that contains
/// OPERATOR_CALL.
std::vector<std::size_t> shownRows(const EventRows& rows, const RowSelection& selection, bool operatorCalls) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const bool call = rows.rows[i].event->name.find(detail::operatorCall) != std::string_view::npos;
        if (selection.kept[i] != 0 && (operatorCalls || !call)) {
            shown.push_back(i);
        }
    }
    return shown;
}

core::Result<> sortRows(std::vector<std::size_t>& shown, const ColumnContext& context,
                        std::string_view sort) {
    const SortKey key = parseSortKey(sort);
    ET_ASSIGN(const Rules rules, chooseEventColumns({key.column}));
    std::vector<Cell> cells;
    for (const std::size_t at : shown) {
        cells.push_back(rules.front()->value(context, context.rows.rows[at]));
    }
    const Column column = toColumn(*rules.front(), context.blocks.options().target);
    std::vector<std::size_t> sorted;
    for (const std::size_t at : sortedOrder(cells, column, key.direction)) {
        sorted.push_back(shown[at]);
    }
    shown = std::move(sorted);
    return {};
}

/// The row below a module's events: how much they take together.
std::vector<Cell> moduleTotalRow(const Rules& rules, const RowSelection& selection) {
    std::vector<Cell> cells;
    for (const EventColumnRule* rule : rules) {
        const std::string_view id = rule->column.id;
        cells.push_back(id == "event_name" ? Cell(std::string("(total)"))
                        : id == "avg"      ? Cell(selection.moduleAverage)
                        : id == "count"    ? Cell(std::uint64_t{selection.moduleEvents})
                                           : Cell());
    }
    return cells;
}

core::Result<Table> listedTable(const EventBlocks& blocks, const EventRows& rows,
                                const RowSelection& selection, const EventTableOptions& options) {
    const ColumnContext context = columnContext(blocks, rows);
    ET_ASSIGN(const Rules rules, chooseEventColumns(options.columns));
    std::vector<std::size_t> shown = shownRows(rows, selection, options.operatorCalls);
    if (!options.sort.empty()) {
        ET_TRY(sortRows(shown, context, options.sort));
    }
    shown.resize(std::min(shown.size(), options.top.value_or(shown.size())));
    Table table;
    for (const EventColumnRule* rule : rules) {
        table.columns.push_back(toColumn(*rule, blocks.options().target));
    }
    for (const std::size_t at : shown) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (const EventColumnRule* rule : rules) {
            cells.push_back(rule->value(context, rows.rows[at]));
        }
        table.heat.push_back(rows.share(rows.rows[at], rows.rows[at].self).value_or(0));
    }
    return table;
}

/// The table with (`total`) or without the row of a module's total.
core::Result<Table> makeTable(const EventBlocks& blocks, const EventTableOptions& options, bool total) {
    const EventRows rows = eventRows(blocks);
    ET_ASSIGN(const RowSelection selection, selectRows(blocks, rows, options));
    if (options.groupBy != GroupBy::None) {
        return groupedTable(rows, selection, options, blocks.options().target);
    }
    ET_ASSIGN(Table table, listedTable(blocks, rows, selection, options));
    if (total && !options.module.empty()) {
        ET_ASSIGN(const Rules rules, chooseEventColumns(options.columns));
        table.rows.push_back(moduleTotalRow(rules, selection));
    }
    return table;
}

/// What fits a narrow terminal, instead of the reference's columns.
EventTableOptions compact(EventTableOptions options) {
    options.columns = {"event_name", "p50", "avg", "share", "op_types"};
    return options;
}

/// Whether the options ask for rows of their own making rather than for everything there is.
bool asksForRows(const EventTableOptions& options) {
    return !options.columns.empty() || !options.sort.empty() || options.top || !options.filter.empty() ||
           options.groupBy != GroupBy::None || !options.module.empty() || options.operatorCalls;
}

core::Result<std::string> renderJson(const EventBlocks& blocks, const EventTableOptions& options) {
    if (!asksForRows(options)) {
        return eventsJson(blocks);
    }
    ET_ASSIGN(const Table table, makeTable(blocks, options, false));
    Dict module;
    if (!options.module.empty()) {
        ET_ASSIGN(const RowSelection selection, selectRows(blocks, eventRows(blocks), options));
        module.emplace_back("name", options.module);
        module.emplace_back("avg", selection.moduleAverage);
        module.emplace_back("events", std::uint64_t{selection.moduleEvents});
    }
    return rowsJson(blocks, table, module);
}

}  // namespace

core::Result<Table> eventTable(const EventBlocks& blocks, const EventTableOptions& options) {
    return makeTable(blocks, options, true);
}

core::Result<std::string> renderEvents(const EventBlocks& blocks, const EventTableOptions& options,
                                       Format format, Style style) {
    if (format == Format::Json) {
        return renderJson(blocks, options);
    }
    ET_ASSIGN(const Table table, eventTable(blocks, options));
    const bool usual = options.columns.empty() && options.groupBy == GroupBy::None;
    if (format == Format::Table && usual && style.width > 0 && gridWidth(table) > style.width) {
        ET_ASSIGN(const Table narrow, eventTable(blocks, compact(options)));
        return narrowLayout(narrow, style);
    }
    return render(table, format, style);
}

}  // namespace et::inspector::report

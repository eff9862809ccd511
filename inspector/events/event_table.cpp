#include "inspector/events/event_table.h"

#include "inspector/events/column_request.h"
#include "inspector/events/event_columns.h"
#include "inspector/events/event_json.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/group_columns.h"
#include "inspector/events/grouping.h"
#include "inspector/events/row_selection.h"
#include "inspector/format/formats.h"
#include "inspector/names/operator_names.h"

#include <utility>

// One pass: rows -> selection -> (groups ->) table -> text.

namespace et::inspector::report {
namespace {

/// What a request comes to; every format is drawn from it.
struct EventListing {
    EventRows rows;
    RowSelection selection;
    Table table;
};

/// The selected events, in file order. The reference leaves out every name that contains OPERATOR_CALL.
std::vector<const EventRow*> listedRows(const EventRows& rows, const RowSelection& selection,
                                        bool operatorCalls) {
    std::vector<const EventRow*> listed;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const EventRow& row = rows.rows[i];
        const bool call = row.event->name.contains(detail::operatorCall);
        if (selection.kept[i] != 0 && (operatorCalls || !call)) {
            listed.push_back(&row);
        }
    }
    return listed;
}

core::Result<Table> listedTable(const EventBlocks& blocks, const EventRows& rows,
                                const RowSelection& selection, const EventTableOptions& options) {
    ET_ASSIGN(const ColumnRequest<EventColumnRule> request, requestedColumns(options));
    const ColumnContext context = columnContext(blocks, rows);
    return tabulate(
        listedRows(rows, selection, options.operatorCalls), request, blocks.options().target,
        [&](const EventColumnRule& rule, const EventRow* row) { return rule.value(context, *row); },
        [&](const EventRow* row) { return rows.selfShare(*row).value_or(0); });
}

core::Result<EventListing> listEvents(const EventBlocks& blocks, const EventTableOptions& options) {
    EventListing out{.rows = eventRows(blocks), .selection = {}, .table = {}};
    ET_ASSIGN(out.selection, selectRows(blocks, out.rows, options));
    if (options.groupBy == GroupBy::None) {
        ET_ASSIGN(out.table, listedTable(blocks, out.rows, out.selection, options));
    } else {
        const std::vector<Group> groups = groupRows(out.rows, out.selection, options.groupBy);
        ET_ASSIGN(out.table, groupedTable(out.rows, groups, options, blocks.options().target));
    }
    return out;
}

/// The row below a module's events: how much they take together.
std::vector<Cell> totalRow(const std::vector<Column>& columns, const ModuleTotal& total) {
    std::vector<Cell> cells;
    for (const Column& column : columns) {
        cells.push_back(column.id == "event_name" ? Cell(std::string("(total)"))
                        : column.id == "avg"      ? Cell(total.average)
                        : column.id == "count"    ? Cell(std::uint64_t{total.events})
                                                  : Cell());
    }
    return cells;
}

/// The table that people see: events of a module with their total.
Table withTotal(Table table, const RowSelection& selection, GroupBy by) {
    if (selection.total && by == GroupBy::None) {
        table.rows.push_back(totalRow(table.columns, *selection.total));
    }
    return table;
}

/// The few columns that fit a narrow terminal, instead of the reference's.
EventTableOptions compact(EventTableOptions options) {
    options.columns = {"event_name", "p50", "p90", "outliers", "share", "op_types"};
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
    ET_ASSIGN(const EventListing listing, listEvents(blocks, options));
    Dict module;
    if (const auto& total = listing.selection.total) {
        module = {{"name", total->name}, {"avg", total->average}, {"events", std::uint64_t{total->events}}};
    }
    return rowsJson(blocks, listing.table, module);
}

}  // namespace

core::Result<Table> eventTable(const EventBlocks& blocks, const EventTableOptions& options) {
    ET_ASSIGN(EventListing listing, listEvents(blocks, options));
    return withTotal(std::move(listing.table), listing.selection, options.groupBy);
}

core::Result<std::string> renderEvents(const EventBlocks& blocks, const EventTableOptions& options,
                                       Format format, Style style) {
    if (format == Format::Json) {
        return renderJson(blocks, options);
    }
    ET_ASSIGN(EventListing listing, listEvents(blocks, options));
    const Table table = withTotal(std::move(listing.table), listing.selection, options.groupBy);
    const bool usual = options.columns.empty() && options.groupBy == GroupBy::None;
    if (format != Format::Table || !usual) {
        return render(table, format, style);
    }
    if (auto grid = fittingGrid(table, style)) {
        return *std::move(grid);
    }
    ET_ASSIGN(Table narrow, listedTable(blocks, listing.rows, listing.selection, compact(options)));
    return narrowLayout(withTotal(std::move(narrow), listing.selection, options.groupBy), style);
}

}  // namespace et::inspector::report

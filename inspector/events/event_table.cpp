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

// Pipeline: rows -> selection -> (groups ->) table -> text.

namespace et::inspector::events {
namespace {

/// Result of a request; every format is rendered from it.
struct EventListing {
    EventRows rows;
    RowSelection selection;
    format::Table table;
};

/// The selected events, in file order. The reference omits every name that contains OPERATOR_CALL.
std::vector<const EventRow*> listedRows(const EventRows& rows, const RowSelection& selection,
                                        bool operatorCalls) {
    std::vector<const EventRow*> listed;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const EventRow& row = rows.rows[i];
        const bool call = row.event->name.contains(names::detail::operatorCall);
        if (selection.kept[i] != 0 && (operatorCalls || !call)) {
            listed.push_back(&row);
        }
    }
    return listed;
}

/// Unit of all times; requires at least one trace.
TimeScale unitOf(const EventRows& rows) {
    return rows.traces.front().blocks->options().target;
}

core::Result<format::Table> listedTable(const EventRows& rows, const RowSelection& selection,
                                        const EventTableOptions& options) {
    ET_ASSIGN(const ColumnRequest<EventColumnRule> request, requestedColumns(options));
    const ColumnContext context = columnContext(rows, options.limits.get());
    return tabulate(
        listedRows(rows, selection, options.operatorCalls), request, unitOf(rows),
        [&](const EventColumnRule& rule, const EventRow* row) { return rule.value(context, *row); },
        [&](const EventRow* row) { return rows.selfShare(*row).value_or(0); });
}

core::Result<EventListing> listEvents(EventRows rows, const EventTableOptions& options) {
    EventListing out{.rows = std::move(rows), .selection = {}, .table = {}};
    ET_ASSIGN(out.selection, selectRows(out.rows, options));
    if (options.groupBy.empty()) {
        ET_ASSIGN(out.table, listedTable(out.rows, out.selection, options));
    } else {
        ET_ASSIGN(const Groups groups, groupRows(out.rows, out.selection, options.groupBy, options.modules));
        ET_ASSIGN(out.table, groupedTable(groups, options, unitOf(out.rows)));
    }
    return out;
}

/// The row below a module's events, with their total.
std::vector<format::Cell> totalRow(const std::vector<format::Column>& columns, const ModuleTotal& total) {
    std::vector<format::Cell> cells;
    for (const format::Column& column : columns) {
        cells.push_back(column.id == "event_name" ? format::Cell(std::string("(total)"))
                        : column.id == "avg"      ? format::Cell(total.average)
                        : column.id == "count"    ? format::Cell(std::uint64_t{total.events})
                                                  : format::Cell());
    }
    return cells;
}

/// The displayed table: events of a module with their total.
format::Table withTotal(format::Table table, const RowSelection& selection, const GroupKeys& by) {
    if (selection.total && by.empty()) {
        table.rows.push_back(totalRow(table.columns, *selection.total));
    }
    return table;
}

/// The few columns that fit a narrow terminal, instead of the reference's.
EventTableOptions compact(EventTableOptions options) {
    options.columns = {"event_name", "p50", "p90", "outliers", "share", "op_types"};
    return options;
}

/// Whether the options request specific rows instead of everything.
bool requestsRows(const EventTableOptions& options) {
    return !options.columns.empty() || !options.sort.empty() || options.top || !options.filter.empty() ||
           !options.groupBy.empty() || !options.module.empty() || options.operatorCalls;
}

core::Result<std::string> renderJson(EventRows rows, const EventTableOptions& options) {
    if (!requestsRows(options)) {
        if (rows.traces.size() > 1) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              "JSON of all events covers one trace; request rows (--columns, --group-by, …)");
        }
        return eventsJson(*rows.traces.front().blocks);
    }
    ET_ASSIGN(const EventListing listing, listEvents(std::move(rows), options));
    format::Dict module;
    if (const auto& total = listing.selection.total) {
        module = {{"name", total->name}, {"avg", total->average}, {"events", std::uint64_t{total->events}}};
    }
    return rowsJson(listing.rows, listing.table, module);
}

core::Result<format::Table> tableOf(EventRows rows, const EventTableOptions& options) {
    ET_ASSIGN(EventListing listing, listEvents(std::move(rows), options));
    return withTotal(std::move(listing.table), listing.selection, options.groupBy);
}

core::Result<std::string> renderRows(EventRows rows, const EventTableOptions& options, format::Format format,
                                     format::Style style) {
    if (format == format::Format::Json) {
        return renderJson(std::move(rows), options);
    }
    ET_ASSIGN(EventListing listing, listEvents(std::move(rows), options));
    const format::Table table = withTotal(std::move(listing.table), listing.selection, options.groupBy);
    const bool usual = options.columns.empty() && options.groupBy.empty();
    if (format != format::Format::Table || !usual) {
        return format::render(table, format, style);
    }
    if (auto grid = format::fittingGrid(table, style)) {
        return *std::move(grid);
    }
    ET_ASSIGN(format::Table narrow, listedTable(listing.rows, listing.selection, compact(options)));
    return format::narrowLayout(withTotal(std::move(narrow), listing.selection, options.groupBy), style);
}

}  // namespace

core::Result<format::Table> eventTable(const EventBlocks& blocks, const EventTableOptions& options) {
    return tableOf(eventRows(blocks), options);
}
core::Result<format::Table> eventTable(const std::vector<NamedTrace>& traces,
                                       const EventTableOptions& options) {
    return tableOf(eventRows(traces), options);
}

core::Result<std::string> renderEvents(const EventBlocks& blocks, const EventTableOptions& options,
                                       format::Format format, format::Style style) {
    return renderRows(eventRows(blocks), options, format, style);
}
core::Result<std::string> renderEvents(const std::vector<NamedTrace>& traces,
                                       const EventTableOptions& options, format::Format format,
                                       format::Style style) {
    return renderRows(eventRows(traces), options, format, style);
}

}  // namespace et::inspector::events

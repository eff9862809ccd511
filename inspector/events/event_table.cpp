#include "inspector/events/event_table.h"

#include "inspector/events/column_request.h"
#include "inspector/events/event_columns.h"
#include "inspector/events/event_json.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/grouping.h"
#include "inspector/events/row_selection.h"
#include "inspector/format/formats.h"
#include "inspector/format/table.h"
#include "inspector/format/text_cell.h"
#include "inspector/format/time_scale.h"
#include "inspector/names/operator_names.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

// Pipeline: rows -> selection -> (groups ->) table -> text.
namespace et::inspector::events {
namespace {

/// A row of the finished table.
struct GroupRow {
    const GroupScope& scope;
    const Group& group;
    const GroupPart* part;  ///< null for the group itself
    const GroupKeys& keys;
    double whole;  ///< typical time that shares refer to

    [[nodiscard]] const GroupSum& sum() const { return part == nullptr ? group.sum : part->sum; }
    [[nodiscard]] double median() const { return medianOf(sum(), scope); }
    [[nodiscard]] std::optional<double> share() const {
        return whole > 0 ? std::optional(sum().typical / whole) : std::nullopt;
    }
};

bool isOfScope(GroupBy by) {
    return by == GroupBy::Phase || by == GroupBy::Trace;
}

bool isWithinBlocks(const GroupKeys& keys) {
    return !keys.has(GroupBy::Phase);
}

struct GroupColumn {
    std::string_view id;
    bool (*belongs)(const GroupKeys& keys);
    std::string_view unit;  ///< "ms" is replaced with the target unit
    bool numeric;
    format::Cell (*value)(const GroupRow& row);
};

bool always(const GroupKeys&) {
    return true;
}

template <GroupBy by>
bool has(const GroupKeys& keys) {
    return keys.has(by);
}

/// The group's label for a key.
template <GroupBy by>
format::Cell labelOf(const GroupRow& row) {
    std::size_t at = 0;
    for (const GroupBy key : row.keys.all()) {
        if (key == by) {
            break;
        }
        at += isOfScope(key) ? 0 : 1;
    }
    const std::vector<std::string>& labels = row.group.bin.labels;
    return at < labels.size() ? format::Cell(labels[at]) : format::Cell();
}

/// Columns of the keys, without duplicates, in the order of the keys.
constexpr std::array keyColumns{
    std::pair{GroupBy::Op, GroupColumn{"op", has<GroupBy::Op>, {}, false, labelOf<GroupBy::Op>}},
    std::pair{GroupBy::Module,
              GroupColumn{"module", has<GroupBy::Module>, {}, false, labelOf<GroupBy::Module>}},
    std::pair{GroupBy::Delegate,
              GroupColumn{"delegate", has<GroupBy::Delegate>, {}, false, labelOf<GroupBy::Delegate>}},
    std::pair{GroupBy::Block, GroupColumn{"block", has<GroupBy::Block>, {}, false, labelOf<GroupBy::Block>}},
    std::pair{GroupBy::Phase, GroupColumn{"phase",
                                          has<GroupBy::Phase>,
                                          {},
                                          false,
                                          [](const GroupRow& r) { return format::textCell(r.scope.phase); }}},
    std::pair{GroupBy::Trace, GroupColumn{"trace",
                                          has<GroupBy::Trace>,
                                          {},
                                          false,
                                          [](const GroupRow& r) { return format::textCell(r.scope.trace); }}},
};

constexpr GroupColumn blockColumn{
    "event_block_name",
    [](const GroupKeys& keys) { return isWithinBlocks(keys) && !keys.has(GroupBy::Block); },
    {},
    false,
    [](const GroupRow& r) { return format::Cell(r.scope.block); }};

constexpr std::array columnRules{
    GroupColumn{"instruction_id",
                has<GroupBy::Delegate>,
                {},
                true,
                [](const GroupRow& r) { return r.group.bin.instruction; }},
    GroupColumn{
        "operator",
        has<GroupBy::Delegate>,
        {},
        false,
        [](const GroupRow& r) { return r.part == nullptr ? format::Cell() : format::Cell(r.part->name); }},
    GroupColumn{"runs",
                [](const GroupKeys& keys) {
                    return keys.has(GroupBy::Block) || std::ranges::any_of(keys.all(), isOfScope);
                },
                {},
                true,
                [](const GroupRow& r) { return format::Cell(std::uint64_t{r.scope.runs}); }},
    GroupColumn{"count",
                always,
                {},
                true,
                [](const GroupRow& r) { return format::Cell(std::uint64_t{r.sum().count}); }},
    GroupColumn{"p50", always, timeUnit, true, [](const GroupRow& r) { return format::Cell(r.median()); }},
    GroupColumn{"p90", always, timeUnit, true,
                // A median of 0 is replaced by the typical time, which p90 may be below.
                [](const GroupRow& r) {
                    return r.sum().runs.empty()
                               ? format::Cell()
                               : format::Cell(std::max(summarize(r.sum().runs).p90, r.median()));
                }},
    GroupColumn{"outliers",
                always,
                {},
                true,
                [](const GroupRow& r) {
                    return r.sum().runs.empty() ? format::Cell()
                                                : format::Cell(std::uint64_t{outlierCount(r.sum().runs)});
                }},
    GroupColumn{"total", always, timeUnit, true,
                [](const GroupRow& r) { return format::Cell(r.sum().total); }},
    GroupColumn{
        "avg", always, timeUnit, true,
        [](const GroupRow& r) { return format::Cell(r.sum().total / static_cast<double>(r.scope.runs)); }},
    GroupColumn{
        "share", always, percentUnit, true,
        [](const GroupRow& r) { return r.share() ? format::Cell(100 * *r.share()) : format::Cell(); }},
};

std::vector<const GroupColumn*> columnsOf(const GroupKeys& keys) {
    std::vector<const GroupColumn*> out;
    if (blockColumn.belongs(keys)) {
        out.push_back(&blockColumn);
    }
    for (const GroupBy key : keys.all()) {
        out.push_back(
            &std::ranges::find(keyColumns, key, [](const auto& each) { return each.first; })->second);
    }
    for (const GroupColumn& column : columnRules) {
        if (column.belongs(keys)) {
            out.push_back(&column);
        }
    }
    return out;
}

core::Result<const GroupColumn*> knownColumn(const GroupKeys& by, std::string_view id) {
    std::vector<std::string_view> known;
    for (const GroupColumn* column : columnsOf(by)) {
        if (column->id == id) {
            return column;
        }
        known.push_back(column->id);
    }
    return std::unexpected(unknownColumn(id, " in groups", known));
}

core::Result<std::vector<const GroupColumn*>> chosenColumns(const EventTableOptions& options) {
    std::vector<const GroupColumn*> chosen;
    for (const std::string& id : options.columns) {
        if (id == "all" || id.starts_with('+')) {
            return columnsOf(options.groupBy);  // every group column is shown anyway
        }
        ET_ASSIGN(const GroupColumn* column, knownColumn(options.groupBy, id));
        chosen.push_back(column);
    }
    return chosen.empty() ? columnsOf(options.groupBy) : chosen;
}

core::Result<ColumnRequest<GroupColumn>> requestedGroupColumns(const EventTableOptions& options) {
    ColumnRequest<GroupColumn> request;
    ET_ASSIGN(request.shown, chosenColumns(options));
    if (!options.sort.empty()) {
        const SortKey key = parseSortKey(options.sort);
        ET_ASSIGN(request.sortedBy, knownColumn(options.groupBy, key.column));
        request.direction = key.direction;
    }
    request.top = options.top;
    return request;
}

format::Column toColumn(const GroupColumn& rule, TimeScale target) {
    return makeColumn(rule.id, rule.unit, rule.numeric, target);
}

/// The groups, each followed by its parts. Shares refer to the scope; those of scopes and blocks to the
/// total.
std::vector<GroupRow> flatten(const Groups& groups, const GroupKeys& keys) {
    const double all =
        std::accumulate(groups.scopes.begin(), groups.scopes.end(), 0.0,
                        [](double sum, const GroupScope& scope) { return sum + scope.typical; });
    const bool ofAll =
        std::ranges::all_of(keys.all(), [](GroupBy by) { return isOfScope(by) || by == GroupBy::Block; });
    std::vector<GroupRow> out;
    for (const Group& group : groups.groups) {
        const GroupScope& scope = groups.scopes[group.scopeAt];
        const double whole = ofAll ? all : scope.typical;
        out.push_back({scope, group, nullptr, keys, whole});
        for (const GroupPart& part : group.parts) {
            out.push_back({scope, group, &part, keys, whole});
        }
    }
    return out;
}

core::Result<format::Table> groupedTable(const Groups& groups, const EventTableOptions& options,
                                         TimeScale target) {
    ET_ASSIGN(const ColumnRequest<GroupColumn> request, requestedGroupColumns(options));
    return tabulate(
        flatten(groups, options.groupBy), request, target,
        [](const GroupColumn& rule, const GroupRow& row) { return rule.value(row); },
        [](const GroupRow& row) { return row.share().value_or(0); });
}

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

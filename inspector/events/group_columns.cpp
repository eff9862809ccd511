#include "inspector/events/group_columns.h"

#include "inspector/events/column_request.h"
#include "inspector/format/text_cell.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

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
    [[nodiscard]] double median() const { return sum().typical / static_cast<double>(scope.runs); }
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
                // A sum of medians can slightly exceed the sums of most runs.
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

}  // namespace

core::Result<format::Table> groupedTable(const Groups& groups, const EventTableOptions& options,
                                         TimeScale target) {
    ET_ASSIGN(const ColumnRequest<GroupColumn> request, requestedGroupColumns(options));
    return tabulate(
        flatten(groups, options.groupBy), request, target,
        [](const GroupColumn& rule, const GroupRow& row) { return rule.value(row); },
        [](const GroupRow& row) { return row.share().value_or(0); });
}

}  // namespace et::inspector::events

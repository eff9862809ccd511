#include "inspector/events/group_columns.h"

#include "inspector/events/column_request.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace et::inspector::report {
namespace {

/// A row of the finished table.
struct GroupRow {
    const EventRows& rows;
    const Group& group;
    const GroupPart* part;  ///< null: the group itself
    double whole;           ///< typical time that shares refer to

    [[nodiscard]] const BlockTime& time() const { return rows.blocks[group.blockAt]; }
    [[nodiscard]] const GroupSum& sum() const { return part == nullptr ? group.sum : part->sum; }
    [[nodiscard]] double median() const { return sum().typical / static_cast<double>(time().runs); }
    [[nodiscard]] std::optional<double> share() const {
        return whole > 0 ? std::optional(sum().typical / whole) : std::nullopt;
    }
};

/// Groupings that a column belongs to, as bits 1 << GroupBy.
using Groupings = unsigned;
constexpr Groupings bit(GroupBy by) {
    return 1U << static_cast<unsigned>(by);
}
constexpr Groupings withinBlocks = bit(GroupBy::Op) | bit(GroupBy::Module) | bit(GroupBy::Delegate);
constexpr Groupings everyGrouping = withinBlocks | bit(GroupBy::Block);

struct GroupColumn {
    std::string_view id;
    Groupings groupings;
    std::string_view unit;  ///< "ms" stands for the target unit
    bool numeric;
    Cell (*value)(const GroupRow& row);
};

Cell groupName(const GroupRow& row) {
    return row.group.bin.group;
}

constexpr std::array columnRules{
    GroupColumn{
        "event_block_name", withinBlocks, {}, false, [](const GroupRow& r) { return Cell(r.group.block); }},
    GroupColumn{"op", bit(GroupBy::Op), {}, false, groupName},
    GroupColumn{"module", bit(GroupBy::Module), {}, false, groupName},
    GroupColumn{"delegate", bit(GroupBy::Delegate), {}, false, groupName},
    GroupColumn{"block", bit(GroupBy::Block), {}, false, groupName},
    GroupColumn{"instruction_id",
                bit(GroupBy::Delegate),
                {},
                true,
                [](const GroupRow& r) { return r.group.bin.instruction; }},
    GroupColumn{"operator",
                bit(GroupBy::Delegate),
                {},
                false,
                [](const GroupRow& r) { return r.part == nullptr ? Cell() : Cell(r.part->name); }},
    GroupColumn{"runs",
                bit(GroupBy::Block),
                {},
                true,
                [](const GroupRow& r) { return Cell(std::uint64_t{r.time().runs}); }},
    GroupColumn{"count",
                everyGrouping,
                {},
                true,
                [](const GroupRow& r) { return Cell(std::uint64_t{r.sum().count}); }},
    GroupColumn{"p50", everyGrouping, timeUnit, true, [](const GroupRow& r) { return Cell(r.median()); }},
    GroupColumn{"p90", everyGrouping, timeUnit, true,
                // Medians added up can be a little more than the sums of most runs.
                [](const GroupRow& r) {
                    return r.sum().runs.empty() ? Cell()
                                                : Cell(std::max(summarize(r.sum().runs).p90, r.median()));
                }},
    GroupColumn{"outliers",
                everyGrouping,
                {},
                true,
                [](const GroupRow& r) {
                    return r.sum().runs.empty() ? Cell() : Cell(std::uint64_t{outlierCount(r.sum().runs)});
                }},
    GroupColumn{"total", everyGrouping, timeUnit, true,
                [](const GroupRow& r) { return Cell(r.sum().total); }},
    GroupColumn{"avg", everyGrouping, timeUnit, true,
                [](const GroupRow& r) { return Cell(r.sum().total / static_cast<double>(r.time().runs)); }},
    GroupColumn{"share", everyGrouping, percentUnit, true,
                [](const GroupRow& r) { return r.share() ? Cell(100 * *r.share()) : Cell(); }},
};

std::vector<const GroupColumn*> columnsOf(GroupBy by) {
    std::vector<const GroupColumn*> out;
    for (const GroupColumn& column : columnRules) {
        if ((column.groupings & bit(by)) != 0) {
            out.push_back(&column);
        }
    }
    return out;
}

core::Result<const GroupColumn*> knownColumn(GroupBy by, std::string_view id) {
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
            return columnsOf(options.groupBy);  // every column of a group is shown anyway
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

Column toColumn(const GroupColumn& rule, TimeScale target) {
    return makeColumn(rule.id, rule.unit, rule.numeric, target);
}

/// The groups, each followed by its parts.
std::vector<GroupRow> flatten(const std::vector<Group>& groups, const EventRows& rows, GroupBy by) {
    const double all = std::accumulate(rows.blocks.begin(), rows.blocks.end(), 0.0,
                                       [](double sum, const BlockTime& time) { return sum + time.typical; });
    std::vector<GroupRow> out;
    for (const Group& group : groups) {
        const double whole = by == GroupBy::Block ? all : rows.blocks[group.blockAt].typical;
        out.push_back({rows, group, nullptr, whole});
        for (const GroupPart& part : group.parts) {
            out.push_back({rows, group, &part, whole});
        }
    }
    return out;
}

}  // namespace

core::Result<Table> groupedTable(const EventRows& rows, const std::vector<Group>& groups,
                                 const EventTableOptions& options, TimeScale target) {
    ET_ASSIGN(const ColumnRequest<GroupColumn> request, requestedGroupColumns(options));
    return tabulate(
        flatten(groups, rows, options.groupBy), request, target,
        [](const GroupColumn& rule, const GroupRow& row) { return rule.value(row); },
        [](const GroupRow& row) { return row.share().value_or(0); });
}

}  // namespace et::inspector::report

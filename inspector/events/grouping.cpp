#include "inspector/events/grouping.h"

#include "inspector/events/event_fields.h"
#include "inspector/events/row_order.h"
#include "inspector/names/operator_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

namespace et::inspector::report {
namespace {

constexpr std::string_view unattributed = "(unattributed)";
constexpr std::string_view filteredOut = "(filtered out)";
constexpr std::string_view notDelegated = "(not delegated)";

/// Where an event's time goes: a group, and for GroupBy::Delegate a part of it.
struct Bin {
    std::string group;
    std::string part;
    Cell instruction;
    std::pair<std::int64_t, std::int32_t> place{};  ///< chain and instruction, which keep equal names apart
};

struct Sum {
    std::size_t count = 0;
    double total = 0;
};

struct Part {
    std::string name;
    Sum sum;
};

struct Group {
    std::size_t blockAt = 0;
    std::string block;
    Bin bin;
    Sum sum;
    std::vector<Part> parts;
};

/// A row of the finished table.
struct GroupRow {
    const EventRows& rows;
    const Group& group;
    const Part* part;  ///< null: the group itself
    double whole;      ///< what shares refer to

    [[nodiscard]] const BlockTime& time() const { return rows.blocks[group.blockAt]; }
    [[nodiscard]] const Sum& sum() const { return part == nullptr ? group.sum : part->sum; }
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
constexpr std::string_view timeUnit = "ms";

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
    GroupColumn{"total", everyGrouping, timeUnit, true,
                [](const GroupRow& r) { return Cell(r.sum().total); }},
    GroupColumn{"avg", everyGrouping, timeUnit, true,
                [](const GroupRow& r) { return Cell(r.sum().total / static_cast<double>(r.time().runs)); }},
    GroupColumn{"share", everyGrouping, "%", true,
                [](const GroupRow& r) { return r.whole > 0 ? Cell(100 * r.sum().total / r.whole) : Cell(); }},
};

/// The op type that a kernel implements among those of its debug handles, which may stand for several
/// kernels.
std::string kernelLabel(const EventRow& row, std::string_view kernel) {
    std::string_view best;
    for (const std::string_view type : opTypes(*row.block, *row.event, OpTypes::All)) {
        if (detail::nodeOperator(type) == kernel) {
            return std::string(type);
        }
        if (best.empty() && detail::mayImplement(kernel, detail::nodeOperator(type))) {
            best = type;
        }
    }
    const std::string_view name = row.event->name;
    return std::string(best.empty() ? name.substr(detail::kernelPrefix.size()) : best);
}

/// The name without the number that XNNPACK counts equal operators with.
std::string_view withoutNumber(std::string_view name) {
    const std::size_t mark = name.rfind(" #");
    const bool numbered = mark != std::string_view::npos && mark + 2 < name.size() &&
                          name.find_first_not_of("0123456789", mark + 2) == std::string_view::npos;
    return numbered ? name.substr(0, mark) : name;
}

std::string operatorLabel(const EventRow& row) {
    const Event& event = *row.event;
    if (const std::string_view kernel = detail::kernelOperator(event.name);
        !kernel.empty() && !event.delegated) {
        return kernelLabel(row, kernel);
    }
    if (event.delegated) {
        std::vector<std::string_view> types = opTypes(*row.block, event, OpTypes::All);
        types.erase(std::ranges::unique(types).begin(), types.end());
        return types.empty() ? std::string(withoutNumber(event.name))
                             : fmt::format("{}", fmt::join(types, " + "));
    }
    const bool call = event.name == detail::delegateCall && !event.backend.empty();
    return std::string(call ? event.backend : event.name);
}

std::string moduleLabel(const EventRow& row) {
    const Cell module = commonModule(*row.block, *row.event);
    const auto* name = std::get_if<std::string>(&module);
    return name == nullptr ? "(no module)" : name->empty() ? "(root)" : *name;
}

Bin delegateBin(const EventRow& row) {
    const Event& event = *row.event;
    if (!event.delegated && event.name != detail::delegateCall) {
        return {
            .group = std::string(row.hasParts ? unattributed : notDelegated), .part = {}, .instruction = {}};
    }
    const std::string own = row.hasParts ? std::string(unattributed) : operatorLabel(row);
    return {.group = event.backend.empty() ? "(unknown delegate)" : std::string(event.backend),
            .part = own,
            .instruction = std::int64_t{event.instruction.value},
            .place = {event.chain, event.instruction.value}};
}

Bin binOf(const EventRow& row, GroupBy by, bool kept) {
    if (!kept) {
        return {.group = std::string(filteredOut), .part = {}, .instruction = {}};
    }
    switch (by) {
        case GroupBy::Delegate:
            return delegateBin(row);
        case GroupBy::Block:
            return {.group = std::string(row.block->name), .part = {}, .instruction = {}};
        case GroupBy::Module:
        case GroupBy::Op:
        case GroupBy::None:
            break;
    }
    if (row.hasParts) {
        return {.group = std::string(unattributed), .part = {}, .instruction = {}};
    }
    return {.group = by == GroupBy::Module ? moduleLabel(row) : operatorLabel(row),
            .part = {},
            .instruction = {}};
}

void add(Sum& sum, const EventRow& row) {
    ++sum.count;
    sum.total += row.self;
}

/// Remainders last, then the largest first; ties in order of appearance.
bool comesBefore(std::string_view a, const Sum& sumA, std::string_view b, const Sum& sumB) {
    const auto rank = [](std::string_view name) {
        return name == filteredOut ? 2 : name == unattributed ? 1 : 0;
    };
    return rank(a) != rank(b) ? rank(a) < rank(b) : sumA.total > sumB.total;
}

std::vector<Group> collect(const EventRows& rows, const RowSelection& selection, GroupBy by) {
    std::vector<Group> groups;
    std::map<std::tuple<std::size_t, std::string, decltype(Bin::place)>, std::size_t> groupAt;
    std::map<std::pair<std::size_t, std::string>, std::size_t> partAt;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const EventRow& row = rows.rows[i];
        if (row.event->samples.empty()) {
            continue;
        }
        Bin bin = binOf(row, by, selection.kept[i] != 0);
        const auto [slot, fresh] = groupAt.try_emplace({row.blockAt, bin.group, bin.place}, groups.size());
        if (fresh) {
            groups.push_back({.blockAt = row.blockAt,
                              .block = std::string(row.block->name),
                              .bin = bin,
                              .sum = {},
                              .parts = {}});
        }
        Group& group = groups[slot->second];
        add(group.sum, row);
        if (!bin.part.empty()) {
            const auto [place, freshPart] = partAt.try_emplace({slot->second, bin.part}, group.parts.size());
            if (freshPart) {
                group.parts.push_back({.name = bin.part, .sum = {}});
            }
            add(group.parts[place->second].sum, row);
        }
    }
    return groups;
}

void order(std::vector<Group>& groups) {
    std::ranges::stable_sort(groups, [](const Group& a, const Group& b) {
        return a.blockAt != b.blockAt ? a.blockAt < b.blockAt
                                      : comesBefore(a.bin.group, a.sum, b.bin.group, b.sum);
    });
    for (Group& group : groups) {
        std::ranges::stable_sort(group.parts, [](const Part& a, const Part& b) {
            return comesBefore(a.name, a.sum, b.name, b.sum);
        });
    }
}

std::vector<const GroupColumn*> columnsOf(GroupBy by) {
    std::vector<const GroupColumn*> out;
    for (const GroupColumn& column : columnRules) {
        if ((column.groupings & bit(by)) != 0) {
            out.push_back(&column);
        }
    }
    return out;
}

core::Result<const GroupColumn*> findColumn(GroupBy by, std::string_view id) {
    std::vector<std::string_view> known;
    for (const GroupColumn* column : columnsOf(by)) {
        if (column->id == id) {
            return column;
        }
        known.push_back(column->id);
    }
    return core::fail(core::ErrorCode::NotFound, fmt::format("no column '{}' in groups, expected one of {}",
                                                             id, fmt::join(known, ", ")));
}

core::Result<std::vector<const GroupColumn*>> chooseColumns(const EventTableOptions& options) {
    std::vector<const GroupColumn*> chosen;
    for (const std::string& id : options.columns) {
        if (id == "all" || id.starts_with('+')) {
            return columnsOf(options.groupBy);  // every column of a group is shown anyway
        }
        ET_ASSIGN(const GroupColumn* column, findColumn(options.groupBy, id));
        chosen.push_back(column);
    }
    return chosen.empty() ? columnsOf(options.groupBy) : chosen;
}

Column toColumn(const GroupColumn& rule, TimeScale target) {
    const std::string_view unit = rule.unit == timeUnit ? facts(target).name : rule.unit;
    const std::string id(rule.id);
    return {
        .id = id, .header = unit.empty() ? id : fmt::format("{} ({})", id, unit), .numeric = rule.numeric};
}

/// The groups, each followed by its parts.
std::vector<GroupRow> flatten(const std::vector<Group>& groups, const EventRows& rows, GroupBy by) {
    const double all = std::accumulate(rows.blocks.begin(), rows.blocks.end(), 0.0,
                                       [](double sum, const BlockTime& time) { return sum + time.total; });
    std::vector<GroupRow> out;
    for (const Group& group : groups) {
        const double whole = by == GroupBy::Block ? all : rows.blocks[group.blockAt].total;
        out.push_back({rows, group, nullptr, whole});
        for (const Part& part : group.parts) {
            out.push_back({rows, group, &part, whole});
        }
    }
    return out;
}

core::Result<std::vector<std::size_t>> rowOrder(const std::vector<GroupRow>& rows,
                                                const EventTableOptions& options, TimeScale target) {
    if (options.sort.empty()) {
        std::vector<std::size_t> order(rows.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        return order;
    }
    const SortKey key = parseSortKey(options.sort);
    ET_ASSIGN(const GroupColumn* rule, findColumn(options.groupBy, key.column));
    std::vector<Cell> cells;
    for (const GroupRow& row : rows) {
        cells.push_back(rule->value(row));
    }
    return sortedOrder(cells, toColumn(*rule, target), key.direction);
}

}  // namespace

core::Result<Table> groupedTable(const EventRows& rows, const RowSelection& selection,
                                 const EventTableOptions& options, TimeScale target) {
    ET_ASSIGN(const std::vector<const GroupColumn*> columns, chooseColumns(options));
    std::vector<Group> groups = collect(rows, selection, options.groupBy);
    order(groups);
    const std::vector<GroupRow> flat = flatten(groups, rows, options.groupBy);
    ET_ASSIGN(std::vector<std::size_t> chosen, rowOrder(flat, options, target));
    chosen.resize(std::min(chosen.size(), options.top.value_or(chosen.size())));
    Table table;
    for (const GroupColumn* column : columns) {
        table.columns.push_back(toColumn(*column, target));
    }
    for (const std::size_t at : chosen) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (const GroupColumn* column : columns) {
            cells.push_back(column->value(flat[at]));
        }
        table.heat.push_back(flat[at].whole > 0 ? flat[at].sum().total / flat[at].whole : 0);
    }
    return table;
}

}  // namespace et::inspector::report

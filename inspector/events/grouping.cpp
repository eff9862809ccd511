#include "inspector/events/grouping.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace et::inspector::report {
namespace {

void add(GroupSum& sum, const EventRow& row) {
    ++sum.count;
    sum.total += row.self;
}

/// Remainders last, then the largest first; ties in order of appearance.
bool comesBefore(std::string_view a, const GroupSum& sumA, std::string_view b, const GroupSum& sumB) {
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
            groups.push_back({.blockAt = row.blockAt, .block = std::string(row.block->name), .bin = bin});
        }
        Group& group = groups[slot->second];
        add(group.sum, row);
        if (!bin.part.empty()) {
            const auto [place, freshPart] = partAt.try_emplace({slot->second, bin.part}, group.parts.size());
            if (freshPart) {
                group.parts.push_back({.name = bin.part});
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
        std::ranges::stable_sort(group.parts, [](const GroupPart& a, const GroupPart& b) {
            return comesBefore(a.name, a.sum, b.name, b.sum);
        });
    }
}

}  // namespace

std::vector<Group> groupRows(const EventRows& rows, const RowSelection& selection, GroupBy by) {
    std::vector<Group> groups = collect(rows, selection, by);
    order(groups);
    return groups;
}

}  // namespace et::inspector::report

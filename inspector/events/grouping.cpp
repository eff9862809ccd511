#include "inspector/events/grouping.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace et::inspector::report {
namespace {

/// Remainders last, then the largest first; ties in order of appearance.
bool comesBefore(std::string_view a, const GroupSum& sumA, std::string_view b, const GroupSum& sumB) {
    const auto rank = [](std::string_view name) {
        return name == filteredOut ? 2 : name == unattributed ? 1 : 0;
    };
    return rank(a) != rank(b) ? rank(a) < rank(b) : sumA.typical > sumB.typical;
}

/// Where a row's time is added up.
struct Target {
    std::size_t group = 0;
    std::optional<std::size_t> part{};
};

class Collector {
  public:
    Collector(const EventRows& events, GroupBy grouping) : rows(events), by(grouping) {}

    std::vector<Group> collect(const RowSelection& selection) {
        std::vector<std::optional<Target>> targets(rows.rows.size());
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            const EventRow& row = rows.rows[i];
            if (row.event->samples.empty()) {
                continue;
            }
            targets[i] = targetOf(row, binOf(row, by, selection.kept[i] != 0));
            forSums(*targets[i], [&](GroupSum& sum) {
                ++sum.count;
                sum.total += row.self;
                sum.typical += row.typicalSelf;
            });
        }
        addRuns(targets);
        return std::move(groups);
    }

  private:
    Target targetOf(const EventRow& row, const Bin& bin) {
        const auto [slot, fresh] = groupAt.try_emplace({row.blockAt, bin.group, bin.place}, groups.size());
        if (fresh) {
            groups.push_back({.blockAt = row.blockAt, .block = std::string(row.block->name), .bin = bin});
        }
        Target target{.group = slot->second};
        if (!bin.part.empty()) {
            std::vector<GroupPart>& parts = groups[target.group].parts;
            const auto [place, freshPart] = partAt.try_emplace({target.group, bin.part}, parts.size());
            if (freshPart) {
                parts.push_back({.name = bin.part});
            }
            target.part = place->second;
        }
        return target;
    }

    template <class Change>
    void forSums(const Target& target, Change change) {
        Group& group = groups[target.group];
        change(group.sum);
        if (target.part) {
            change(group.parts[*target.part].sum);
        }
    }

    /// An event's samples count where it is, and are taken from the event around it: the self time of each
    /// run.
    void addRuns(const std::vector<std::optional<Target>>& targets) {
        const auto add = [&](std::size_t at, std::span<const double> samples, double sign) {
            forSums(*targets[at], [&](GroupSum& sum) {
                sum.runs.resize(samples.size());
                std::ranges::transform(
                    sum.runs, samples, sum.runs.begin(),
                    [sign](double before, double sample) { return before + sign * sample; });
            });
        };
        for (const BlockTime& block : rows.blocks) {
            const bool known = oneSampleARun(block);
            for (std::size_t i = block.firstRow; known && i < block.firstRow + block.rowCount; ++i) {
                const EventRow& row = rows.rows[i];
                if (targets[i]) {
                    add(i, row.event->samples, 1);
                }
                if (targets[i] && row.parent) {
                    add(*row.parent, row.event->samples, -1);
                }
            }
        }
    }

    [[nodiscard]] bool oneSampleARun(const BlockTime& time) const {
        return std::ranges::all_of(
            std::span(rows.rows).subspan(time.firstRow, time.rowCount), [&](const EventRow& row) {
                return row.event->samples.empty() || row.event->samples.size() == time.runs;
            });
    }

    const EventRows& rows;
    GroupBy by;
    std::vector<Group> groups;
    std::map<std::tuple<std::size_t, std::string, decltype(Bin::place)>, std::size_t> groupAt;
    std::map<std::pair<std::size_t, std::string>, std::size_t> partAt;
};

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
    std::vector<Group> groups = Collector(rows, by).collect(selection);
    order(groups);
    return groups;
}

}  // namespace et::inspector::report

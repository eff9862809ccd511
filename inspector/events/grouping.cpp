#include "inspector/events/grouping.h"

#include "inspector/events/group_scopes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace et::inspector::events {
namespace {

/// Remainders come last.
int rankOf(std::string_view name) {
    return name == filteredOut ? 2 : isRemainder(name) ? 1 : 0;
}
int rankOf(const Bin& bin) {
    return bin.labels.empty() ? 0 : rankOf(bin.labels.back());
}

/// Destination of a row's time.
struct Target {
    std::size_t group = 0;
    std::optional<std::size_t> part{};
};

class Collector {
  public:
    Collector(const EventRows& events, const GroupKeys& keys, const ModuleRollUp& names)
        : rows(events), rule{.by = keys, .names = names}, scopes(blockScopes(events, keys)) {
        if (keys.has(GroupBy::Module)) {
            places.emplace(events);
            rule.places = &*places;
        }
    }
    ~Collector() = default;
    Collector(const Collector&) = delete;
    Collector& operator=(const Collector&) = delete;

    Groups collect(const RowSelection& selection) {
        std::vector<std::optional<Target>> targets(rows.rows.size());
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            const EventRow& row = rows.rows[i];
            if (row.event->samples.empty()) {
                continue;
            }
            targets[i] = targetOf(row, binOf(rows, i, rule, selection.kept[i] != 0));
            forSums(*targets[i], [&](GroupSum& sum) {
                ++sum.count;
                sum.total += row.self;
                sum.typical += row.typicalSelf;
            });
        }
        addRuns(targets);
        return {.scopes = std::move(scopes.scopes), .groups = std::move(groups)};
    }

  private:
    Target targetOf(const EventRow& row, const Bin& bin) {
        const std::size_t scope = scopes.ofBlock[row.blockAt];
        const auto [slot, fresh] = groupAt.try_emplace({scope, bin.labels, bin.place}, groups.size());
        if (fresh) {
            groups.push_back({.scopeAt = scope, .bin = bin});
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

    /// Adds an event's samples to its target and subtracts them from the enclosing event: the self time of
    /// each run.
    void addRuns(const std::vector<std::optional<Target>>& targets) {
        const auto add = [&](std::size_t at, std::span<const double> samples, double sign) {
            forSums(*targets[at], [&](GroupSum& sum) {
                sum.runs.resize(samples.size());
                std::ranges::transform(
                    sum.runs, samples, sum.runs.begin(),
                    [sign](double before, double sample) { return before + sign * sample; });
            });
        };
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
            const EventRow& row = rows.rows[i];
            if (!scopes.oneSampleARun[scopes.ofBlock[row.blockAt]]) {
                continue;
            }
            if (targets[i]) {
                add(i, row.event->samples, 1);
            }
            if (targets[i] && row.parent) {
                add(*row.parent, row.event->samples, -1);
            }
        }
    }

    const EventRows& rows;
    std::optional<ModulePlaces> places;
    BinRule rule;
    BlockScopes scopes;
    std::vector<Group> groups;
    std::map<std::tuple<std::size_t, std::vector<std::string>, decltype(Bin::place)>, std::size_t> groupAt;
    std::map<std::pair<std::size_t, std::string>, std::size_t> partAt;
};

bool isOfBlocks(GroupBy by) {
    return by == GroupBy::Phase || by == GroupBy::Trace;
}

/// Remainders last, then in descending order; ties in order of appearance.
void orderByScope(std::vector<Group>& groups) {
    std::ranges::stable_sort(groups, [](const Group& a, const Group& b) {
        return std::tuple(a.scopeAt, rankOf(a.bin), -a.sum.typical) <
               std::tuple(b.scopeAt, rankOf(b.bin), -b.sum.typical);
    });
}

/// Groups with the same first label together, each by scope; the largest label first.
void orderByLabel(std::vector<Group>& groups) {
    std::map<std::string, double> sums;
    for (const Group& group : groups) {
        sums[group.bin.labels.front()] += group.sum.typical;
    }
    std::ranges::stable_sort(groups, [&](const Group& a, const Group& b) {
        const std::string& first = a.bin.labels.front();
        const std::string& second = b.bin.labels.front();
        return std::tuple(rankOf(first), -sums.at(first), std::string_view(first), a.scopeAt,
                          -a.sum.typical) < std::tuple(rankOf(second), -sums.at(second),
                                                       std::string_view(second), b.scopeAt, -b.sum.typical);
    });
}

void order(std::vector<Group>& groups, const GroupKeys& by) {
    const bool scoped = std::ranges::any_of(by.all(), isOfBlocks);
    if (scoped && !isOfBlocks(by.all().front())) {
        orderByLabel(groups);
    } else {
        orderByScope(groups);
    }
    for (Group& group : groups) {
        std::ranges::stable_sort(group.parts, [](const GroupPart& a, const GroupPart& b) {
            return std::pair(rankOf(a.name), -a.sum.typical) < std::pair(rankOf(b.name), -b.sum.typical);
        });
    }
}

}  // namespace

core::Result<Groups> groupRows(const EventRows& rows, const RowSelection& selection, const GroupKeys& by,
                               const ModuleRollUp& modules) {
    const bool inside = by.has(GroupBy::Op) || by.has(GroupBy::Module) || by.has(GroupBy::Block);
    if (by.has(GroupBy::Delegate) && inside) {
        return core::fail(
            core::ErrorCode::InvalidArgument,
            "grouping by delegate lists its operators; it can be combined only with phase and trace");
    }
    Groups groups = Collector(rows, by, modules).collect(selection);
    order(groups.groups, by);
    return groups;
}

}  // namespace et::inspector::events

#include "inspector/events/grouping.h"

#include "inspector/names/phase_mark.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace et::inspector::events {
namespace {

/// The scopes, and the one of each block.
struct BlockScopes {
    std::vector<GroupScope> scopes;
    std::vector<std::size_t> ofBlock;  ///< index into `scopes`, one per block of EventRows
    /// Whether all events of a scope have one sample per run, and the same number of runs.
    std::vector<bool> oneSampleARun;
};

/// Whether the block contains times between executions.
bool isOfMarks(const Block& block) {
    return block.name == phaseBlockName && !block.phase.empty();
}

class Scopes {
  public:
    Scopes(const EventRows& events, const GroupKeys& keys)
        : rows(events), byPhase(keys.has(GroupBy::Phase)), byTrace(keys.has(GroupBy::Trace)) {}

    BlockScopes collect() {
        for (std::size_t at = 0; at < rows.blocks.size(); ++at) {
            add(at);
        }
        for (std::size_t i = 0; i < out.scopes.size(); ++i) {
            out.scopes[i].runs =
                std::max<std::size_t>(1, out.scopes[i].runs == 0 ? markRuns[i] : out.scopes[i].runs);
        }
        return std::move(out);
    }

  private:
    using Key = std::tuple<std::size_t, std::string_view, std::size_t>;

    [[nodiscard]] Key keyOf(std::size_t at, const Block* block) const {
        const std::size_t trace = rows.blocks[at].traceAt;
        if (!byPhase) {
            return {trace, {}, at};
        }
        return {byTrace ? trace : 0, block != nullptr ? block->phase : std::string_view{}, 0};
    }

    void add(std::size_t at) {
        const BlockTime& time = rows.blocks[at];
        const Block* const block = time.rowCount == 0 ? nullptr : rows.rows[time.firstRow].block;
        const auto [slot, fresh] = scopeAt.try_emplace(keyOf(at, block), out.scopes.size());
        if (fresh) {
            out.scopes.push_back(
                {.trace = byTrace || !byPhase ? rows.traces[time.traceAt].name : std::string(),
                 .phase = std::string(byPhase && block != nullptr ? block->phase : ""),
                 .block = std::string(block == nullptr ? "" : block->name)});
            out.oneSampleARun.push_back(true);
            markRuns.push_back(0);
            sizes.push_back(time.runs);
        }
        const std::size_t scope = slot->second;
        out.ofBlock.push_back(scope);
        out.scopes[scope].typical += time.typical;
        if (block != nullptr && isOfMarks(*block)) {
            markRuns[scope] = std::max(markRuns[scope], time.runs);
        } else {
            out.scopes[scope].runs += time.runs;
        }
        out.oneSampleARun[scope] =
            out.oneSampleARun[scope] && sizes[scope] == time.runs && oneSampleARun(time);
    }

    [[nodiscard]] bool oneSampleARun(const BlockTime& time) const {
        return std::ranges::all_of(
            std::span(rows.rows).subspan(time.firstRow, time.rowCount), [&](const EventRow& row) {
                return row.event->samples.empty() || row.event->samples.size() == time.runs;
            });
    }

    const EventRows& rows;
    bool byPhase;
    bool byTrace;
    BlockScopes out;
    std::map<Key, std::size_t> scopeAt;
    std::vector<std::size_t> markRuns;  ///< of each scope
    std::vector<std::size_t> sizes;     ///< runs of each scope's first block
};

BlockScopes blockScopes(const EventRows& rows, const GroupKeys& by) {
    return Scopes(rows, by).collect();
}

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
    std::optional<EventModules> places;
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

double medianOf(const GroupSum& sum, const GroupScope& scope) {
    const double median = sum.runs.empty() ? 0 : summarize(sum.runs).p50;
    return median != 0 ? median : sum.typical / static_cast<double>(scope.runs);
}

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

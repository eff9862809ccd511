#include "app/tasks/debug/detail/timeline_impl.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

// Memory of the snapshots of a timeline.
namespace et::tasks {
namespace {

using State = std::shared_ptr<const executor::Snapshot>;

/// A snapshot of the current branch.
struct Kept {
    State state;
    double time = 0;  ///< of the run, in nanoseconds
};

template <class Visit>
void visitSnapshots(std::vector<RecordedExecution>& executions, const Visit& visit) {
    double time = 0;
    for (RecordedExecution& execution : executions) {
        const auto length = static_cast<double>(std::max<std::uint64_t>(execution.nanoseconds, 1));
        const auto steps = static_cast<double>(std::max<std::uint64_t>(execution.steps.value_or(0), 1));
        if (execution.start) {
            visit(execution.start->state, time);
        }
        for (const auto& [step, snapshot] : execution.inner) {
            visit(snapshot.state, time + length * std::min(static_cast<double>(step) / steps, 1.0));
        }
        time += length;
    }
}

void remove(Timeline::Impl& timeline, const State& state) {
    for (TimelineBranch& branch : timeline.branches) {
        for (RecordedExecution& execution : branch.executions) {
            if (execution.start && execution.start->state == state) {
                execution.start.reset();
            }
            std::erase_if(execution.inner, [&](const auto& each) { return each.second.state == state; });
        }
    }
    ++timeline.usage.removedSnapshots;
}

/// Removes the snapshots that only other branches have. Returns false if there are none.
bool removeOfOtherBranches(Timeline::Impl& timeline, const std::vector<Kept>& own) {
    std::vector<State> others;
    for (TimelineBranch& branch : timeline.branches) {
        visitSnapshots(branch.executions, [&](const State& state, double) {
            if (std::ranges::find(own, state, &Kept::state) == own.end()) {
                others.push_back(state);
            }
        });
    }
    for (const State& state : others) {
        remove(timeline, state);
    }
    return !others.empty();
}

/// Removes a quarter of the snapshots of the current branch, each time the one whose neighbours are closest
/// in relation to its age. The first and the last ones stay. Returns false if there are no more.
bool removeQuarter(Timeline::Impl& timeline, std::vector<Kept> own) {
    constexpr std::size_t kept = 3;
    std::size_t count = own.size() > kept ? std::max<std::size_t>((own.size() - kept) / 4, 1) : 0;
    const bool isAny = count > 0;
    for (; count > 0; --count) {
        const double end = own.back().time + 1;
        std::size_t best = 1;
        double least = 0;
        for (std::size_t i = 1; i + 2 < own.size(); ++i) {
            const double gap = (own[i + 1].time - own[i - 1].time) / (end - own[i].time);
            if (i == 1 || gap < least) {
                best = i;
                least = gap;
            }
        }
        remove(timeline, own[best].state);
        own.erase(own.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return isAny;
}

void count(Timeline::Impl& timeline) {
    timeline.counted.clear();
    timeline.usage.snapshotBytes = 0;
    timeline.usage.snapshots = 0;
    std::unordered_set<const executor::Snapshot*> seen;
    for (TimelineBranch& branch : timeline.branches) {
        visitSnapshots(branch.executions, [&](const State& state, double) {
            if (seen.insert(state.get()).second) {
                timeline.usage.snapshotBytes += state->countBytes(timeline.counted);
                ++timeline.usage.snapshots;
            }
        });
    }
}

}  // namespace

void keepBudget(Timeline::Impl& timeline) {
    bool isAny = true;
    while (isAny && timeline.usage.snapshotBytes > timeline.options.budgetBytes) {
        std::vector<Kept> own;
        visitSnapshots(timeline.executions(), [&](const State& state, double time) {
            own.push_back({.state = state, .time = time});
        });
        isAny = removeOfOtherBranches(timeline, own) || removeQuarter(timeline, std::move(own));
        count(timeline);
    }
}

}  // namespace et::tasks

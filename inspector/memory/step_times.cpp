#include "inspector/memory/step_times.h"

#include "inspector/join/instruction_keys.h"
#include "inspector/names/operator_names.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

struct Ran {
    std::uint64_t start = unknown;
    std::uint64_t end = 0;

    void cover(std::uint64_t from, std::uint64_t to) {
        start = std::min(start, from);
        end = std::max(end, to);
    }
    [[nodiscard]] bool known() const { return start != unknown; }
};

/// Finds positions in MemoryTimeline::steps by chain and instruction, from the first step of each chain.
class StepFinder {
  public:
    explicit StepFinder(const MemoryTimeline& timeline) : count(timeline.steps.size()) {
        for (std::size_t i = 0; i < count; ++i) {
            const ChainPosition& place = timeline.steps[i];
            const auto chain = chains.try_emplace(static_cast<std::int64_t>(place.chain), i, i).first;
            chain->second.second = i;
        }
    }
    /// Returns `count` for an unknown instruction.
    [[nodiscard]] std::size_t stepOf(std::int64_t chain, std::int32_t instruction) const {
        const auto found = chains.find(chain);
        if (found == chains.end() || instruction < 0) {
            return count;
        }
        const std::size_t step = found->second.first + static_cast<std::size_t>(instruction);
        return step <= found->second.second ? step : count;
    }

  private:
    std::size_t count;
    std::map<std::int64_t, std::pair<std::size_t, std::size_t>> chains;
};

StepTimes timesOf(std::size_t run, const Ran& whole, const std::vector<Ran>& steps) {
    StepTimes out{.run = run, .origin = whole.start, .begins = {0}};
    std::uint64_t now = whole.start;
    for (const Ran& step : steps) {
        now = step.known() ? std::max(now, step.start) : now;
        out.begins.push_back(now - whole.start);
        now = step.known() ? std::max(now, step.end) : now;
    }
    out.begins.push_back(now - whole.start);
    out.begins.push_back(std::max(now, whole.end) - whole.start);
    return out;
}

std::optional<StepTimes> timesOfRun(std::size_t run, const etdump::Trace& trace, const StepFinder& finder,
                                    std::size_t stepCount) {
    const etdump::EventColumns& columns = trace.events();
    const etdump::Run& of = trace.runs()[run];
    std::vector<Ran> steps(stepCount);
    Ran whole;
    bool any = false;
    for (std::size_t i = of.firstEvent; i < std::size_t{of.firstEvent} + of.eventCount; ++i) {
        if (columns.kind[i] != etdump::EventKind::Profile || columns.end[i] < columns.start[i]) {
            continue;
        }
        const std::string_view name = trace.text(columns.name[i]);
        if (names::detail::isFrameworkEvent(name)) {
            if (name == names::detail::methodExecute) {
                whole.cover(columns.start[i], columns.end[i]);
            }
            continue;
        }
        if (columns.delegateInt[i] >= 0 || !trace.text(columns.delegateString[i]).empty()) {
            continue;  // inside a delegate, which may have its own clock
        }
        const std::size_t step = finder.stepOf(columns.chain[i], columns.instruction[i]);
        if (step < stepCount && (!steps[step].known() || columns.start[i] <= steps[step].end)) {
            steps[step].cover(columns.start[i], columns.end[i]);
            whole.cover(columns.start[i], columns.end[i]);
            any = true;
        }
    }
    return any ? std::optional(timesOf(run, whole, steps)) : std::nullopt;
}

/// False if no event of the run touches the span, so its steps need not be examined. A trace may have tens of
/// thousands of runs.
bool mayTouch(std::size_t run, const etdump::Trace& trace, const std::optional<TickSpan>& span) {
    const etdump::EventColumns& columns = trace.events();
    const etdump::Run& of = trace.runs()[run];
    Ran whole;
    for (std::size_t i = of.firstEvent; i < std::size_t{of.firstEvent} + of.eventCount; ++i) {
        if (columns.kind[i] == etdump::EventKind::Profile && columns.end[i] >= columns.start[i]) {
            whole.cover(columns.start[i], columns.end[i]);
        }
    }
    return !span || (whole.start <= span->last && span->first <= whole.end);
}

bool touches(const StepTimes& times, const std::optional<TickSpan>& span) {
    return !span || (times.origin <= span->last && span->first <= times.end());
}

}  // namespace

std::optional<StepTimes> stepTimes(const MemoryTimeline& timeline, const EventBlocks& blocks, bool onlyMethod,
                                   std::optional<TickSpan> within) {
    std::set<std::size_t> runs;  // in file order
    for (const Block& block : blocks.blocks()) {
        if (join::detail::isOf(block, *timeline.method, onlyMethod)) {
            runs.insert(block.runs.begin(), block.runs.end());
        }
    }
    const StepFinder finder(timeline);
    std::optional<StepTimes> first;
    for (const std::size_t run : runs) {
        if (first && !mayTouch(run, blocks.trace(), within)) {
            continue;
        }
        auto times = timesOfRun(run, blocks.trace(), finder, timeline.steps.size());
        if (times && touches(*times, within)) {
            return times;
        }
        if (!first) {
            first = std::move(times);
        }
    }
    return first;
}

}  // namespace et::inspector

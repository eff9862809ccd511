#include "inspector/join/phase_blocks.h"

#include "inspector/join/block_builder.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace et::inspector::join::detail {
namespace {

using etdump::Trace;

std::vector<std::uint32_t> runsOfMarks(const Trace& trace, const RunPhases& phases) {
    std::vector<std::uint32_t> runs;
    for (const MarkedTime& mark : phases.marks) {
        const auto run = static_cast<std::uint32_t>(&trace.runOf(mark.event) - trace.runs().data());
        if (!std::ranges::contains(runs, run)) {
            runs.push_back(run);
        }
    }
    return runs;
}

bool isWanted(std::string_view phase, std::span<const std::string> only) {
    return only.empty() || std::ranges::contains(only, phase);
}

/// Splits the group's runs by phase, in the order in which phases appear.
std::vector<RunGroup> split(const RunGroup& group, const RunPhases& phases) {
    std::vector<RunGroup> parts;
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const std::string_view phase = phases.runs[group.runs[i]].phase;
        auto part = std::ranges::find(parts, phase, &RunGroup::phase);
        if (part == parts.end()) {
            parts.push_back({.name = group.name,
                             .bundledInputIndex = group.bundledInputIndex,
                             .runs = {},
                             .shapes = {},
                             .phase = phase});
            part = std::prev(parts.end());
        }
        part->runs.push_back(group.runs[i]);
        part->shapes.push_back(group.shapes[i]);
    }
    return parts;
}

/// Builds the block of one phase from its samples; `own` must not be moved afterwards.
Block blockOf(const Trace& trace, std::string_view phase, bool executes, const MarkSamples& own) {
    Block block;
    block.phase = phase;
    for (const etdump::EventIndex event : own.profileEvents) {
        const etdump::Run& run = trace.runOf(event);
        block.name = trace.text(run.name);
        block.runs.push_back(static_cast<std::uint32_t>(&run - trace.runs().data()));
    }
    Event& event = block.events.emplace_back();
    event.name = executes ? aroundExecution : phase;
    event.samples = own.samples;
    event.startTicks = own.startTicks;
    event.profileEvents = own.profileEvents;
    event.statistics = summarize(own.samples);
    return block;
}

}  // namespace

std::vector<std::size_t> splitByPhase(RunGroups& groups, const Trace& trace, const RunPhases& phases,
                                      std::span<const std::string> only) {
    const std::vector<std::uint32_t> marks = runsOfMarks(trace, phases);
    std::vector<RunGroup> all;
    std::vector<std::size_t> origins;
    for (std::size_t at = 0; at < groups.groups.size(); ++at) {
        for (RunGroup& part : split(groups.groups[at], phases)) {
            if (isWanted(part.phase, only) && !std::ranges::contains(marks, part.runs.front())) {
                all.push_back(std::move(part));
                origins.push_back(at);
            }
        }
    }
    groups.groups = std::move(all);
    return origins;
}

std::vector<Block> markBlocks(const Trace& trace, const RunPhases& phases, const JoinOptions& options,
                              std::deque<MarkSamples>& storage) {
    const Clock clock(options);
    const etdump::EventColumns& events = trace.events();
    struct Phase {
        bool executes = false;
        MarkSamples samples;
    };
    std::map<std::string_view, Phase> found;
    for (const MarkedTime& mark : phases.marks) {
        if (!isWanted(mark.what.phase, options.phases)) {
            continue;
        }
        Phase& phase = found[mark.what.phase];
        phase.executes = phase.executes || mark.what.tokens > 0;
        const std::uint64_t start = events.start[mark.event];
        const std::uint64_t whole = events.end[mark.event] - start;  // validated when the file was read
        const std::uint64_t rest = whole - std::min(whole, mark.executing);
        phase.samples.samples.push_back(clock.duration(0, rest, false).value_or(0));
        phase.samples.startTicks.push_back(start);
        phase.samples.profileEvents.push_back(mark.event);
    }
    std::vector<Block> blocks;
    for (auto& [name, phase] : found) {
        blocks.push_back(
            blockOf(trace, name, phase.executes, storage.emplace_back(std::move(phase.samples))));
    }
    return blocks;
}

void sortByTime(std::vector<Block>& blocks) {
    const auto start = [](const Block& block) {
        std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
        for (const Event& event : block.events) {
            for (const std::uint64_t tick : event.startTicks) {
                first = std::min(first, tick);
            }
        }
        return first;
    };
    std::ranges::stable_sort(blocks, {}, start);
}

}  // namespace et::inspector::join::detail

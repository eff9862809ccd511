#include "inspector/join/run_phases.h"

#include "inspector/join/phase_inference.h"
#include "inspector/join/run_groups.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector {
namespace {

using etdump::EventIndex;
using etdump::EventKind;
using etdump::Run;
using etdump::Trace;

constexpr std::array sourceNames{
    std::pair{PhaseSource::None, std::string_view("none")},
    std::pair{PhaseSource::Recorded, std::string_view("recorded")},
    std::pair{PhaseSource::MethodName, std::string_view("method")},
    std::pair{PhaseSource::SequenceLength, std::string_view("sequence_length")},
    std::pair{PhaseSource::Pattern, std::string_view("pattern")},
};

/// The marks of a run if every event is a mark; else empty.
std::vector<MarkedTime> marksOf(const Trace& trace, const Run& run) {
    std::vector<MarkedTime> marks;
    const etdump::EventColumns& events = trace.events();
    for (EventIndex at = run.firstEvent; at < run.firstEvent + run.eventCount; ++at) {
        const auto mark = events.kind[at] == EventKind::Profile ? parsePhaseMark(trace.text(events.name[at]))
                                                                : std::nullopt;
        if (!mark || events.end[at] < events.start[at]) {
            return {};
        }
        marks.push_back({.event = at,
                         .what = {.phase = mark->phase,
                                  .call = mark->call,
                                  .position = mark->position,
                                  .tokens = mark->tokens},
                         .executing = 0});
    }
    return marks;
}

std::vector<MarkedTime> marksOf(const Trace& trace) {
    std::vector<MarkedTime> all;
    for (const Run& run : trace.runs()) {
        if (trace.text(run.name) == phaseBlockName) {
            std::ranges::move(marksOf(trace, run), std::back_inserter(all));
        }
    }
    std::ranges::stable_sort(all, {},
                             [&](const MarkedTime& mark) { return trace.events().start[mark.event]; });
    return all;
}

/// The mark that contains an execution; null if there is none.
MarkedTime* markAround(const Trace& trace, std::vector<MarkedTime>& marks, EventIndex execution) {
    const etdump::EventColumns& events = trace.events();
    auto after = std::ranges::upper_bound(marks, events.start[execution], {},
                                          [&](const MarkedTime& mark) { return events.start[mark.event]; });
    // Marks between executions may share their start with one; checking a few steps back is enough.
    for (int steps = 0; steps < 4 && after != marks.begin(); ++steps) {
        --after;
        if (after->what.tokens > 0 && events.end[after->event] >= events.end[execution]) {
            return &*after;
        }
    }
    return nullptr;
}

bool isLoading(const Trace& trace, const join::detail::RunShape& shape) {
    return std::ranges::any_of(shape.slots, [&](const join::detail::Slot& slot) {
        const std::string_view name = trace.text(slot.signature.profileName);
        return name == names::detail::loadMethod || name == names::detail::methodInit ||
               name == core::event_name::loadProgram;
    });
}

template <class Visit>
void forRuns(const join::detail::RunGroups& groups, Visit visit) {
    for (const join::detail::RunGroup& group : groups.groups) {
        for (std::size_t i = 0; i < group.runs.size(); ++i) {
            visit(group.runs[i], groups.shapes[group.shapes[i]]);
        }
    }
}

}  // namespace

std::string_view phaseSourceName(PhaseSource source) {
    return std::ranges::find(sourceNames, source, &std::pair<PhaseSource, std::string_view>::first)->second;
}

std::vector<std::string_view> RunPhases::names() const {
    std::vector<std::string_view> all;
    const auto add = [&](std::string_view phase) {
        if (!phase.empty() && !std::ranges::contains(all, phase)) {
            all.push_back(phase);
        }
    };
    for (const RunPhase& run : runs) {
        add(run.phase);
    }
    for (const MarkedTime& mark : marks) {
        add(mark.what.phase);
    }
    return all;
}

namespace join::detail {

RunPhases findPhases(const Trace& trace, const RunGroups& groups, std::span<const std::string_view> methods) {
    RunPhases out;
    out.runs.resize(trace.runs().size());
    out.marks = marksOf(trace);
    bool recorded = false;
    forRuns(groups, [&](std::uint32_t run, const RunShape& shape) {
        const auto execution = executionOf(trace, shape, trace.runs()[run]);
        if (!execution) {
            out.runs[run].phase = isLoading(trace, shape) ? loadPhase : std::string_view{};
        } else if (MarkedTime* const mark = markAround(trace, out.marks, *execution)) {
            const auto& events = trace.events();
            mark->executing +=
                etdump::elapsedTicks(events.start[*execution], events.end[*execution]).value_or(0);
            out.runs[run] = mark->what;
            recorded = true;
        } else {
            out.runs[run].phase = executePhase;
        }
    });
    if (recorded) {
        out.source = PhaseSource::Recorded;
    } else {
        out.marks.clear();
        inferPhases(trace, groups, methods, out);
    }
    return out;
}

}  // namespace join::detail
}  // namespace et::inspector

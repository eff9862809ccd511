#include "app/output/cells.h"
#include "app/output/info/artifact_info.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace et::output {
namespace {

using etdump::DebugValue;
using etdump::EventColumns;
using etdump::EventIndex;
using etdump::EventKind;
using etdump::Run;
using etdump::Trace;

/// Time from the first start to the last end of some profile events, in ticks.
struct Span {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last = 0;

    void include(std::uint64_t start, std::uint64_t end) {
        first = std::min(first, start);
        last = std::max(last, end);
    }
    [[nodiscard]] Cell ticks() const { return last >= first ? Cell(last - first) : Cell(); }
};

/// Names of DebugValue::value's alternatives, in order.
constexpr std::array debugKinds{"null", "int", "bool", "float", "double", "string", "tensor", "tensor list"};
static_assert(debugKinds.size() == std::variant_size_v<decltype(DebugValue::value)>);

/// Totals of the events of some runs.
class Totals {
  public:
    explicit Totals(const Trace& trace) : source(trace), columns(trace.events()) {}

    void add(const Run& run) {
        Span runSpan;
        for (EventIndex event = run.firstEvent; event < run.firstEvent + run.eventCount; ++event) {
            switch (columns.kind[event]) {
                case EventKind::Profile:
                    runSpan.include(columns.start[event], columns.end[event]);
                    addProfile(event);
                    break;
                case EventKind::Debug:
                    addDebug(event);
                    break;
                case EventKind::Allocation:
                    addAllocation(run, event);
                    break;
            }
        }
        if (runSpan.last >= runSpan.first) {
            span.include(runSpan.first, runSpan.last);
        }
        runs.emplace_back(Dict{
            {"name", std::string(source.text(run.name))},
            {"events", std::uint64_t{run.eventCount}},
            {"span_ticks", runSpan.ticks()},
            {"bundled_input", run.bundledInputIndex < 0 ? Cell() : Cell(std::int64_t{run.bundledInputIndex})},
        });
    }

    [[nodiscard]] Dict info() &&;

  private:
    void addProfile(EventIndex event) {
        ++profileEvents;
        names.add(shownName(event));
        const bool numbered = columns.delegateInt[event] != -1;
        const bool named = !source.text(columns.delegateString[event]).empty();
        delegateEvents += numbered || named ? 1 : 0;
        metadataBytes += source.metadata(event).size();
    }

    /// The name shown in tables: delegate events have an identifier instead.
    [[nodiscard]] std::string shownName(EventIndex event) const {
        const std::string_view name = source.text(columns.name[event]);
        const std::string_view identifier = source.text(columns.delegateString[event]);
        if (name.empty() && identifier.empty() && columns.delegateInt[event] != -1) {
            return std::to_string(columns.delegateInt[event]);
        }
        return std::string(name.empty() ? identifier : name);
    }

    void addDebug(EventIndex event) {
        const DebugValue& value = source.debugValue(event);
        debugValues.add(debugKinds[value.value.index()]);
        programOutputs += value.programOutput ? 1 : 0;
    }

    void addAllocation(const Run& run, EventIndex event) {
        const std::string name(source.text(run.allocatorName(columns.start[event])));
        auto& [count, bytes] = allocations[name];
        ++count;
        bytes += columns.end[event];
    }

    [[nodiscard]] List allocatorInfo() const {
        List list;
        for (const auto& [name, total] : allocations) {
            list.emplace_back(Dict{{"name", name}, {"allocations", total.first}, {"bytes", total.second}});
        }
        return list;
    }

    const Trace& source;
    const EventColumns& columns;
    Span span;
    List runs;
    Tally names;
    Tally debugValues;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> allocations;  ///< count and bytes
    std::uint64_t profileEvents = 0;
    std::uint64_t delegateEvents = 0;
    std::uint64_t programOutputs = 0;
    std::uint64_t metadataBytes = 0;
};

Dict Totals::info() && {
    return {
        {"events", std::uint64_t{source.eventCount()}},
        {"profile_events", profileEvents},
        {"delegate_events", delegateEvents},
        {"delegate_metadata_bytes", metadataBytes},
        {"program_outputs", programOutputs},
        {"debug_values", debugValues.dict()},
        {"span_ticks", span.ticks()},
        {"runs", std::move(runs)},
        {"allocators", allocatorInfo()},
        {"event_names", names.list("name", "events")},
    };
}

}  // namespace

Dict traceInfo(const Trace& trace) {
    Totals totals(trace);
    for (const Run& run : trace.runs()) {
        totals.add(run);
    }
    Dict info{{"version", std::uint64_t{trace.version()}}};
    append(info, std::move(totals).info());
    return info;
}

}  // namespace et::output

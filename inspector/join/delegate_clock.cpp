#include "inspector/join/delegate_clock.h"

#include "runtime/core/event_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace et::inspector::join::detail {
namespace {

using etdump::EventIndex;

constexpr std::uint64_t wrap = std::uint64_t{1} << 32U;

/// Time from one reading to another of the same clock, in ticks; negative if it is earlier. A 32-bit clock
/// may have wrapped once.
double ticksBetween(std::uint64_t from, std::uint64_t to) {
    const double ticks = to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to);
    const bool isNarrow = from < wrap && to < wrap;
    return isNarrow && ticks < -static_cast<double>(wrap / 2) ? ticks + static_cast<double>(wrap) : ticks;
}

/// Rounded; clamped to what a clock can show.
std::uint64_t plus(std::uint64_t time, double ticks) {
    constexpr double most = 9e18;
    const double shift = std::round(std::clamp(ticks, -most, most));
    const auto amount = static_cast<std::uint64_t>(std::abs(shift));
    if (shift < 0) {
        return time - std::min(time, amount);
    }
    return time + std::min(std::numeric_limits<std::uint64_t>::max() - time, amount);
}

/// A delegate call and the events inside it.
struct Call {
    std::uint32_t run = 0;
    std::string_view backend{};
    std::uint64_t start = 0;  ///< of its DELEGATE_CALL; without one, of the run's other events
    double length = 0;        ///< likewise, in ticks
    bool isTimed = false;     ///< has a DELEGATE_CALL
    std::size_t firstInner = 0;
    std::size_t innerCount = 0;
};

/// The time that a delegate's events take in units of the trace.
struct Scale {
    double ticks = 1;          ///< of the trace per tick of the delegate
    bool isGiven = false;      ///< the clock is another one
    bool isEstimated = false;  ///< from the calls
};

/// Sums over all calls of a backend, in ticks.
struct BackendTimes {
    bool isApart = false;  ///< some events are outside their call
    double calls = 0;
    double inner = 0;
    double fitting = std::numeric_limits<double>::infinity();  ///< the largest factor with which events fit
};

/// Moves of a backend's events over the whole trace.
struct Moves {
    std::size_t runs = 0;
    std::size_t apart = 0;   ///< runs without a common offset
    double uncertainty = 0;  ///< of the offset, in ticks of the trace; the largest
};

/// The range of offsets that move events into their call.
struct OffsetRange {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();

    [[nodiscard]] double middle() const { return (lower + upper) / 2; }
};

class Alignment {
  public:
    Alignment(std::shared_ptr<const etdump::Trace> source, const JoinOptions& join)
        : trace(std::move(source)), events(trace->events()), options(join) {}

    AlignedTrace run(const BackendOfCall& backendOf) {
        collectCalls(backendOf);
        sumTimes();
        chooseScales();
        for (auto first = calls.begin(); first != calls.end();) {
            const auto last = std::find_if(first, calls.end(),
                                           [run = first->run](const Call& each) { return each.run != run; });
            alignRun(std::span(first, last));
            first = last;
        }
        warnOfMoves();
        if (start.empty()) {
            return {std::move(trace), std::move(warnings)};
        }
        return {trace->withTimes(std::move(start), std::move(end)), std::move(warnings)};
    }

  private:
    void collectCalls(const BackendOfCall& backendOf);
    void addCall(Call call, const CallPlace& place, const std::vector<EventIndex>& inside,
                 const BackendOfCall& backendOf);
    void addUntimedCalls(std::uint32_t run, const BackendOfCall& backendOf);
    [[nodiscard]] Call spanOfRun(std::uint32_t run) const;
    void sumTimes();
    void chooseScales();
    [[nodiscard]] Scale givenScale(std::string_view backend) const;
    void warnOfUnit(std::string_view backend, const BackendTimes& sums, const Scale& scale);
    [[nodiscard]] std::string proposedUnit(double ticks) const;
    void alignRun(std::span<Call> ofRun);
    void alignBackend(std::span<Call* const> ofBackend);
    [[nodiscard]] OffsetRange rangeOf(const Call& call, std::uint64_t base, const Scale& scale) const;
    [[nodiscard]] bool isOutside(const Call& call) const;
    void move(const Call& call, std::uint64_t base, double offset, const Scale& scale);
    void warnOfMoves();

    [[nodiscard]] bool isDelegated(EventIndex event) const {
        return events.delegateInt[event] != -1 || !trace->text(events.delegateString[event]).empty();
    }
    [[nodiscard]] std::span<const EventIndex> innerOf(const Call& call) const {
        return std::span(inner).subspan(call.firstInner, call.innerCount);
    }
    [[nodiscard]] double elapsed(EventIndex event) const {
        return static_cast<double>(etdump::elapsedTicks(events.start[event], events.end[event]).value_or(0));
    }
    /// From the first event of a call to the last, in ticks of the delegate.
    [[nodiscard]] double spanOf(const Call& call) const;
    [[nodiscard]] CallPlace placeOf(EventIndex event) const {
        return {events.chain[event], core::InstructionId(events.instruction[event])};
    }

    std::shared_ptr<const etdump::Trace> trace;
    const etdump::EventColumns& events;
    const JoinOptions& options;
    std::vector<Call> calls;                               ///< those with events inside, by run
    std::vector<EventIndex> inner;                         ///< of all calls
    std::map<CallPlace, std::vector<EventIndex>> pending;  ///< events whose call has not ended yet
    std::map<std::string_view, BackendTimes> times;
    std::map<std::string_view, Scale> scales;
    std::map<std::string_view, Moves> moves;
    std::vector<std::uint64_t> start;  ///< the changed columns; empty: unchanged
    std::vector<std::uint64_t> end;
    std::vector<std::string> warnings;
};

std::string quoted(std::string_view backend) {
    return backend.empty() ? "delegates" : core::printable(backend);
}

/// Events are appended when they end: those inside a call precede it.
void Alignment::collectCalls(const BackendOfCall& backendOf) {
    for (std::uint32_t run = 0; run < trace->runs().size(); ++run) {
        const etdump::Run& of = trace->runs()[run];
        for (EventIndex event = of.firstEvent; event < of.firstEvent + of.eventCount; ++event) {
            if (events.kind[event] != etdump::EventKind::Profile) {
                continue;
            }
            if (isDelegated(event)) {
                pending[placeOf(event)].push_back(event);
                continue;
            }
            const bool isCall = trace->text(events.name[event]) == core::event_name::delegateCall;
            const auto inside = isCall ? pending.find(placeOf(event)) : pending.end();
            if (inside != pending.end()) {
                addCall({.run = run, .start = events.start[event], .length = elapsed(event), .isTimed = true},
                        inside->first, inside->second, backendOf);
                pending.erase(inside);
            }
        }
        addUntimedCalls(run, backendOf);
    }
}

void Alignment::addCall(Call call, const CallPlace& place, const std::vector<EventIndex>& inside,
                        const BackendOfCall& backendOf) {
    call.backend = backendOf(call.run, place);
    call.firstInner = inner.size();
    call.innerCount = inside.size();
    inner.insert(inner.end(), inside.begin(), inside.end());
    calls.push_back(call);
}

void Alignment::addUntimedCalls(std::uint32_t run, const BackendOfCall& backendOf) {
    if (pending.empty()) {
        return;
    }
    const Call whole = spanOfRun(run);
    for (const auto& [place, inside] : pending) {
        addCall(whole, place, inside, backendOf);
    }
    pending.clear();
}

/// The time of all events outside delegates; empty, at the first event, if the run has only others.
Call Alignment::spanOfRun(std::uint32_t run) const {
    const etdump::Run& of = trace->runs()[run];
    Call span{.run = run, .start = events.start[pending.begin()->second.front()]};
    bool isFirst = true;
    for (EventIndex event = of.firstEvent; event < of.firstEvent + of.eventCount; ++event) {
        if (events.kind[event] != etdump::EventKind::Profile || isDelegated(event)) {
            continue;
        }
        if (isFirst || ticksBetween(span.start, events.start[event]) < 0) {
            span.start = events.start[event];
        }
        isFirst = false;
        span.length = std::max(span.length, ticksBetween(span.start, events.end[event]));
    }
    return span;
}

double Alignment::spanOf(const Call& call) const {
    const std::uint64_t base = events.start[innerOf(call).front()];
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const EventIndex event : innerOf(call)) {
        const double from = ticksBetween(base, events.start[event]);
        first = std::min(first, from);
        last = std::max(last, from + elapsed(event));
    }
    return last - first;
}

void Alignment::sumTimes() {
    for (const Call& call : calls) {
        BackendTimes& sums = times[call.backend];
        if (!call.isTimed) {
            continue;
        }
        sums.calls += call.length;
        sums.isApart = sums.isApart || isOutside(call);
        for (const EventIndex event : innerOf(call)) {
            sums.inner += elapsed(event);
        }
        if (const double span = spanOf(call); span > 0) {
            sums.fitting = std::min(sums.fitting, call.length / span);
        }
    }
}

Scale Alignment::givenScale(std::string_view backend) const {
    const DelegateTimeScale* given = nullptr;
    for (const DelegateTimeScale& each : options.clock.delegates) {
        if (each.backend == backend || (each.backend.empty() && given == nullptr)) {
            given = &each;
        }
    }
    if (given == nullptr) {
        return {};
    }
    Scale scale{.isGiven = true};
    if (given->ticks) {
        scale.ticks = *given->ticks;
    } else if (given->nanoseconds && options.clock.unit != TimeScale::Cycles) {
        scale.ticks = *given->nanoseconds / ticksPerUnit(TimeScale::Nanoseconds, options.clock.unit);
    } else {
        scale.isEstimated = true;
    }
    return scale;
}

void Alignment::chooseScales() {
    for (const auto& [backend, sums] : times) {
        Scale scale = givenScale(backend);
        if (scale.isEstimated) {
            scale.ticks = std::isfinite(sums.fitting) && sums.fitting > 0 ? sums.fitting : 1;
            warnings.push_back(
                fmt::format("{}: the clock's frequency is unknown; its times are estimated from "
                            "the delegate calls: at most {}",
                            quoted(backend), proposedUnit(scale.ticks)));
        } else {
            warnOfUnit(backend, sums, scale);
        }
        scales[backend] = scale;
    }
}

/// The factor as a unit for --delegate-time-scale.
std::string Alignment::proposedUnit(double ticks) const {
    constexpr double digits = 3;
    if (options.clock.unit == TimeScale::Cycles) {
        return fmt::format("{:.3g}", ticks);
    }
    const double nanoseconds = ticks * ticksPerUnit(TimeScale::Nanoseconds, options.clock.unit);
    for (const TimeScaleInfo& known : timeScales) {
        const double unit = ticksPerUnit(TimeScale::Nanoseconds, known.scale);
        if (known.scale != TimeScale::Cycles && nanoseconds >= unit && nanoseconds < digits * unit) {
            return std::string(known.name);
        }
    }
    constexpr double perMegahertz = 1e3;
    return fmt::format("{:.3g}MHz", perMegahertz / nanoseconds);
}

void Alignment::warnOfUnit(std::string_view backend, const BackendTimes& sums, const Scale& scale) {
    constexpr double most = 1.5;
    constexpr double least = 0.1;
    const double share = sums.calls > 0 ? sums.inner * scale.ticks / sums.calls : 1;
    // Events on the clock of the trace may be few: logging values takes time, too.
    const bool isShort = share < least && (sums.isApart || scale.isGiven);
    if (sums.inner <= 0 || (!isShort && share <= most)) {
        return;
    }
    const std::string unit = proposedUnit(scale.ticks / share);
    warnings.push_back(
        fmt::format("{}: the operators inside take {:.3g} times as long as their delegate calls: the unit of "
                    "their times may be wrong; --delegate-time-scale {} would make them fill their calls",
                    quoted(backend), share,
                    backend.empty() ? unit : fmt::format("{}={}", core::printable(backend), unit)));
}

bool Alignment::isOutside(const Call& call) const {
    return std::ranges::any_of(innerOf(call), [&](EventIndex event) {
        return ticksBetween(call.start, events.start[event]) > call.length ||
               ticksBetween(call.start, events.end[event]) < 0;
    });
}

void Alignment::alignRun(std::span<Call> ofRun) {
    std::map<std::string_view, std::vector<Call*>> byBackend;
    for (Call& call : ofRun) {
        byBackend[call.backend].push_back(&call);
    }
    for (const auto& [backend, ofBackend] : byBackend) {
        const bool isApart =
            scales[backend].isGiven ||
            std::ranges::any_of(ofBackend, [this](const Call* call) { return isOutside(*call); });
        if (isApart) {
            alignBackend(ofBackend);
        }
    }
}

OffsetRange Alignment::rangeOf(const Call& call, std::uint64_t base, const Scale& scale) const {
    double first = std::numeric_limits<double>::infinity();
    for (const EventIndex event : innerOf(call)) {
        first = std::min(first, ticksBetween(base, events.start[event]) * scale.ticks);
    }
    const double from = ticksBetween(calls.front().start, call.start);
    return {.lower = from - first, .upper = from + call.length - (first + spanOf(call) * scale.ticks)};
}

/// Offsets are relative: from the first event of the run's delegate to the first call of the trace.
void Alignment::alignBackend(std::span<Call* const> ofBackend) {
    const Scale& scale = scales[ofBackend.front()->backend];
    const std::uint64_t base = events.start[innerOf(*ofBackend.front()).front()];
    OffsetRange common;
    for (const Call* call : ofBackend) {
        const OffsetRange range = rangeOf(*call, base, scale);
        common.lower = std::max(common.lower, std::min(range.lower, range.upper));
        common.upper = std::min(common.upper, std::max(range.lower, range.upper));
    }
    Moves& moved = moves[ofBackend.front()->backend];
    ++moved.runs;
    const bool isCommon = common.lower <= common.upper;
    moved.apart += isCommon ? 0 : 1;
    for (const Call* call : ofBackend) {
        const OffsetRange range = isCommon ? common : rangeOf(*call, base, scale);
        moved.uncertainty = std::max(moved.uncertainty, std::abs(range.upper - range.lower) / 2);
        move(*call, base, range.middle(), scale);
    }
}

void Alignment::move(const Call& call, std::uint64_t base, double offset, const Scale& scale) {
    if (start.empty()) {
        start = events.start;
        end = events.end;
    }
    for (const EventIndex event : innerOf(call)) {
        const double at = ticksBetween(base, events.start[event]) * scale.ticks + offset;
        start[event] = plus(calls.front().start, at);
        end[event] = plus(start[event], elapsed(event) * scale.ticks);
    }
}

void Alignment::warnOfMoves() {
    for (const auto& [backend, moved] : moves) {
        const double microseconds =
            moved.uncertainty / ticksPerUnit(options.clock.unit, TimeScale::Microseconds);
        const std::string about = options.clock.unit == TimeScale::Cycles
                                      ? fmt::format("{:.3g} cycles", moved.uncertainty)
                                      : fmt::format("{:.3g} µs", microseconds);
        warnings.push_back(fmt::format(
            "{}: the operators inside have a clock of their own: aligned with their delegate calls, ± {}{}",
            quoted(backend), about,
            moved.apart == 0 ? ""
                             : fmt::format("; in {} of {} runs call by call, because no common offset fits",
                                           moved.apart, moved.runs)));
    }
}

}  // namespace

AlignedTrace alignDelegateClocks(std::shared_ptr<const etdump::Trace> trace, const JoinOptions& options,
                                 const BackendOfCall& backendOf) {
    return Alignment(std::move(trace), options).run(backendOf);
}

}  // namespace et::inspector::join::detail

#include "app/tasks/debug/debugger.h"

#include <string>
#include <utility>

namespace et::tasks {

namespace {

using core::ErrorCode;
using core::Result;

}  // namespace

Debugger::Debugger(std::unique_ptr<Timeline> made, std::shared_ptr<const etrecord::Record> record,
                   DebugProgress* reported)
    : stepper(std::move(made), std::move(record), reported) {
}

Result<std::unique_ptr<Debugger>> Debugger::make(std::unique_ptr<Timeline> timeline,
                                                 std::shared_ptr<const etrecord::Record> record,
                                                 DebugProgress* progress) {
    std::unique_ptr<Debugger> made(new Debugger(std::move(timeline), std::move(record), progress));
    if (made->timeline().executionCount() > 0) {
        ET_TRY(made->timeline().jump({}));
        ET_TRY(made->arrive(StopReason::Start));
    }
    return made;
}

Stop Debugger::keep(Stop stop) {
    values().setFocus(stop.site, stop.isAfter);
    last = stop;
    return stop;
}

Result<Stop> Debugger::arrive(StopReason reason, std::string message) {
    stepper.moved();
    ET_ASSIGN(Stop stop, stepper.stopHere(reason));
    stop.message = std::move(message);
    return keep(std::move(stop));
}

Result<Stop> Debugger::begin(std::string_view method, InputSet inputs) {
    ET_TRY(timeline().begin(method, std::move(inputs)));
    return arrive(StopReason::Start);
}

Result<Stop> Debugger::runWhile(const std::function<bool()>& goesOn) {
    // From before a delegate call: breakpoints at its operators come next.
    ET_ASSIGN(std::optional<Stop> inside, stepper.checkArrival(Counting::On, Arrival::InsideOnly));
    if (inside) {
        return keep(*std::move(inside));
    }
    while (true) {
        auto advanced = stepper.advance(Counting::On);
        if (!advanced && advanced.error().code == ErrorCode::Cancelled) {  // while it computed the reference
            return arrive(StopReason::Interrupted);
        }
        ET_ASSIGN(std::optional<Stop> stop, std::move(advanced));
        if (!stop) {
            ET_ASSIGN(stop, stepper.checkArrival(Counting::On));
        }
        if (!stop && (timeline().place().isEnd || !goesOn())) {
            ET_ASSIGN(stop, stepper.stopHere(StopReason::Step));
        }
        if (stop) {
            if (stop->reason == StopReason::End) {
                stop->message = stepper.unresolvedNames();
            }
            return keep(*std::move(stop));
        }
    }
}

Result<Stop> Debugger::resume(bool includesHere) {
    if (includesHere) {
        ET_ASSIGN(std::optional<Stop> here, stepper.checkArrival(Counting::On));
        if (here) {
            return keep(*std::move(here));
        }
    }
    return runWhile([] { return true; });
}

Result<Stop> Debugger::step() {
    ET_ASSIGN(const InstructionSite* const site, stepper.nextSite());
    if (site != nullptr && site->delegate && !timeline().point().node) {
        const auto entered = stepper.stepInto(*site);
        if (!entered && entered.error().code == ErrorCode::Cancelled) {
            ET_ASSIGN(Stop stop, stepper.stopHere(StopReason::Interrupted));
            return keep(std::move(stop));
        }
        ET_TRY(entered);
        if (*entered) {
            ET_ASSIGN(Stop stop, stepper.stopHere(StopReason::Step));
            return keep(std::move(stop));
        }
    }
    return next();
}

Result<Stop> Debugger::next() {
    return runWhile([] { return false; });
}

Result<Stop> Debugger::finish() {
    const bool isInside = timeline().point().node.has_value();
    return runWhile([&] { return !isInside || timeline().point().node.has_value(); });
}

Result<Stop> Debugger::until(const Location& location) {
    return runWhile([&] {
        const auto site = stepper.nextSite();
        const TimelinePlace place = timeline().place();
        return !site || *site == nullptr ||
               !location.contains(BreakSite{.method = std::string(place.method->name),
                                            .chain = (*site)->chain,
                                            .instruction = (*site)->instruction,
                                            .node = timeline().point().node});
    });
}

Result<Stop> Debugger::jump(TimelinePoint to) {
    const auto jumped = timeline().jump(to);
    if (!jumped) {
        if (jumped.error().code != ErrorCode::Cancelled) {
            return std::unexpected(jumped.error());
        }
        return arrive(StopReason::Interrupted);
    }
    return arrive(to.step == 0 && !to.node ? StopReason::Start : StopReason::Step);
}

Result<Stop> Debugger::reverseStep() {
    const TimelinePoint origin = timeline().point();
    ET_ASSIGN(Stop stop, reverseNext());
    const bool hasMoved = timeline().point() != origin;
    if (!hasMoved || origin.node || stop.site == nullptr || !stop.site->delegate || stop.node) {
        return stop;
    }
    const auto view = timeline().delegate();
    if (!view || *view == nullptr || (*view)->nodes == 0) {
        return stop;
    }
    TimelinePoint inside = timeline().point();
    inside.node = (*view)->nodes - 1;
    return jump(inside);
}

Result<Stop> Debugger::reverseNext() {
    const auto back = timeline().stepBack();
    if (!back && back.error().code == ErrorCode::Cancelled) {
        return arrive(StopReason::Interrupted);
    }
    ET_TRY(back);
    const bool isStart = timeline().point() == TimelinePoint{};
    return arrive(*back && !isStart ? StopReason::Step : StopReason::Start);
}

Result<Stop> Debugger::reverseFinish() {
    TimelinePoint to = timeline().point();
    if (to.node) {
        to.node.reset();
    } else {
        to.step = 0;
    }
    return jump(to);
}

Result<std::optional<Stop>> Debugger::lastStopBetween(TimelinePoint from, TimelinePoint limit) {
    ET_TRY(timeline().jump(from));
    stepper.moved();
    std::optional<Stop> found;
    bool checksHere = from.step == 0;
    while (timeline().point() < limit) {
        if (checksHere) {
            ET_ASSIGN(std::optional<Stop> arrival, stepper.checkArrival(Counting::Off));
            found = arrival && arrival->point < limit ? std::move(arrival) : std::move(found);
        }
        checksHere = true;
        const bool isEnd = timeline().place().isEnd;
        ET_ASSIGN(std::optional<Stop> stop, stepper.advance(Counting::Off));
        if (stop && (stop->reason == StopReason::Interrupted || stop->reason == StopReason::Error)) {
            return stop;
        }
        if (isEnd) {
            break;
        }
        found = stop && stop->point < limit ? std::move(stop) : std::move(found);
    }
    return found;
}

Result<std::optional<Stop>> Debugger::lastStopBefore(std::size_t execution, TimelinePoint limit) {
    constexpr std::uint64_t firstWindow = 32;
    constexpr std::uint64_t growth = 4;
    std::uint64_t window = firstWindow;
    while (TimelinePoint{.execution = execution, .step = 0} < limit) {
        const std::uint64_t low = limit.step > window ? limit.step - window : 0;
        ET_ASSIGN(std::optional<Stop> found, lastStopBetween({.execution = execution, .step = low}, limit));
        if (found) {
            return found;
        }
        if (low == 0) {
            break;
        }
        // The stop before `low` was not checked: a later window begins one instruction earlier.
        limit = {.execution = execution, .step = low + 1};
        window *= growth;
    }
    return std::optional<Stop>();
}

Result<Stop> Debugger::reverseResume() {
    ET_TRY(stepper.nextSite());
    const TimelinePoint origin = timeline().point();
    for (std::size_t execution = origin.execution + 1; execution-- > 0;) {
        const ExecutionInfo info = timeline().execution(execution);
        const TimelinePoint limit =
            execution == origin.execution
                ? origin
                : TimelinePoint{.execution = execution, .step = info.steps.value_or(0) + 1};
        auto searched = lastStopBefore(execution, limit);
        if (!searched && searched.error().code == ErrorCode::Cancelled) {
            return arrive(StopReason::Interrupted);
        }
        ET_ASSIGN(const std::optional<Stop> found, std::move(searched));
        if (found) {
            ET_TRY(timeline().jump(found->point));
            stepper.moved();
            return keep(*found);
        }
    }
    return jump({});
}

}  // namespace et::tasks

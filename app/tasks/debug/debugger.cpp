#include "app/tasks/debug/debugger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::array<std::string_view, 8> reasonNames{"breakpoint", "watchpoint",  "step",  "start",
                                                      "end",        "interrupted", "error", "crash"};

BreakSite breakSite(std::string_view method, const InstructionSite& site, std::optional<std::size_t> node) {
    return {
        .method = std::string(method), .chain = site.chain, .instruction = site.instruction, .node = node};
}

/// Sets the progress while an instruction runs.
class Running {
  public:
    Running(DebugProgress* shared, TimelinePoint point, const InstructionSite& site) : progress(shared) {
        if (progress != nullptr) {
            progress->execution = point.execution;
            progress->step = point.step;
            progress->chain = site.chain;
            progress->instruction = site.instruction;
            progress->isRunning = true;
        }
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        if (progress != nullptr) {
            progress->isRunning = false;
        }
    }

  private:
    DebugProgress* progress;
};

}  // namespace

std::string_view nameOf(StopReason reason) {
    return reasonNames[static_cast<std::size_t>(reason)];
}

StopRule* StopList::rule(std::size_t id) {
    for (Breakpoint& each : breakpoints) {
        if (each.rule.id == id) {
            return &each.rule;
        }
    }
    for (Watchpoint& each : watchpoints) {
        if (each.rule.id == id) {
            return &each.rule;
        }
    }
    return nullptr;
}

bool StopList::remove(std::size_t id) {
    return std::erase_if(breakpoints, [&](const Breakpoint& each) { return each.rule.id == id; }) +
               std::erase_if(watchpoints, [&](const Watchpoint& each) { return each.rule.id == id; }) >
           0;
}

Debugger::Debugger(std::unique_ptr<Timeline> made, std::shared_ptr<const etrecord::Record> record,
                   DebugProgress* reported)
    : time(std::move(made)),
      names(time->model(), record),
      expected(record == nullptr ? nullptr : std::make_unique<TimelineReference>(*time, record)),
      accesses(*time),
      shown(*time, accesses, names, expected.get()),
      progress(reported) {
}

Result<std::unique_ptr<Debugger>> Debugger::make(std::unique_ptr<Model> model,
                                                 std::shared_ptr<const etrecord::Record> record,
                                                 const TimelineOptions& options, DebugProgress* progress) {
    ET_ASSIGN(auto timeline, Timeline::make(std::move(model), options));
    return std::unique_ptr<Debugger>(new Debugger(std::move(timeline), std::move(record), progress));
}

Result<const InstructionSite*> Debugger::nextSite() {
    const TimelinePlace place = time->place();
    if (place.method == nullptr) {
        return fail(ErrorCode::InvalidArgument, "nothing has run yet: use 'run' or 'start'");
    }
    if (place.isEnd) {
        return nullptr;
    }
    ET_ASSIGN(const MethodIndex* const method, names.method(place.method->name));
    return method->find(place.chain, place.instruction);
}

Stop Debugger::keep(Stop stop) {
    shown.setFocus(stop.site, stop.isAfter);
    last = stop;
    return stop;
}

Result<Stop> Debugger::stopHere(StopReason reason) {
    ET_ASSIGN(const InstructionSite* const site, nextSite());
    const TimelinePlace place = time->place();
    Stop stop{.reason = site == nullptr ? StopReason::End : reason,
              .point = time->point(),
              .method = std::string(place.method->name),
              .site = site,
              .node = site == nullptr ? std::nullopt : time->point().node};
    if (stop.node && *stop.node < site->inside.size()) {
        stop.inner = site->inside[*stop.node];
    }
    return stop;
}

Result<Stop> Debugger::arrive(StopReason reason) {
    moved();
    ET_ASSIGN(Stop stop, stopHere(reason));
    return keep(std::move(stop));
}

void Debugger::moved() {
    ran.reset();
    for (Watchpoint& each : stops.watchpoints) {
        each.forget();
    }
}

Result<bool> Debugger::isMet(StopRule& rule, Counting counting) {
    if (!rule.isEnabled) {
        return false;
    }
    if (!rule.condition.isEmpty()) {
        const auto holds = rule.condition.holds(DebugScope(shown, nullptr, rule.hits));
        // A name that does not exist at this instruction is not a mistake: others have it.
        if (!holds && holds.error().code != ErrorCode::NotFound &&
            holds.error().code != ErrorCode::Unsupported) {
            return std::unexpected(holds.error());
        }
        if (!holds.value_or(false)) {
            return false;
        }
    }
    if (counting == Counting::Off) {
        return true;
    }
    ++rule.hits;
    if (rule.ignore > 0) {
        --rule.ignore;
        return false;
    }
    return true;
}

Result<std::optional<Stop>> Debugger::checkAfter(const WatchContext& at, Counting counting) {
    const TimelinePlace place = time->place();
    const BreakSite site = breakSite(place.method->name, *at.site, at.point.node);
    const auto stopAfter = [&](StopReason reason, std::size_t rule) {
        Stop stop{.reason = reason,
                  .point = time->point(),
                  .method = site.method,
                  .site = at.site,
                  .node = at.point.node,
                  .isAfter = true,
                  .rule = rule};
        if (stop.node && *stop.node < at.site->inside.size()) {
            stop.inner = at.site->inside[*stop.node];
        }
        return stop;
    };
    std::optional<Stop> found;
    for (Watchpoint& each : stops.watchpoints) {
        ET_ASSIGN(std::optional<WatchHit> hit, each.check(at));
        if (!hit || found) {
            continue;
        }
        ET_ASSIGN(const bool met, isMet(each.rule, counting));
        if (met) {
            found = stopAfter(StopReason::Watchpoint, each.rule.id);
            found->message = hit->message;
            if (hit->inner) {
                found->inner = hit->inner;
                found->node = hit->node;
            }
            found->hit = std::move(hit);
        }
    }
    for (Breakpoint& each : stops.breakpoints) {
        if (found || !each.checksAfter || !each.location.contains(site)) {
            continue;
        }
        ET_ASSIGN(const bool met, isMet(each.rule, counting));
        if (met) {
            found = stopAfter(StopReason::Breakpoint, each.rule.id);
        }
    }
    return found;
}

Result<std::optional<Stop>> Debugger::advance(Counting counting) {
    ET_ASSIGN(const InstructionSite* const site, nextSite());
    if (site == nullptr) {
        ET_ASSIGN(Stop end, stopHere(StopReason::End));
        return std::optional(std::move(end));
    }
    const std::string method(time->place().method->name);
    ET_ASSIGN(const MethodIndex* const index, names.method(method));
    const WatchContext at{.values = shown,
                          .history = accesses,
                          .reference = expected.get(),
                          .method = *index,
                          .site = site,
                          .point = time->point()};
    shown.setFocus(site, false);
    for (Watchpoint& each : stops.watchpoints) {
        ET_TRY(each.prepare(at));
    }
    const auto stepped = [&] {
        const Running running(progress, at.point, *site);
        return time->step();
    }();
    if (!stepped) {
        const bool isInterrupted = stepped.error().code == ErrorCode::Cancelled;
        ET_ASSIGN(Stop stop, stopHere(isInterrupted ? StopReason::Interrupted : StopReason::Error));
        stop.message = isInterrupted ? "" : stepped.error().toString();
        return std::optional(std::move(stop));
    }
    ran = breakSite(method, *site, at.point.node);
    shown.setFocus(site, true);
    return checkAfter(at, counting);
}

Result<std::optional<Stop>> Debugger::checkArrival(Counting counting) {
    ET_ASSIGN(const InstructionSite* const site, nextSite());
    if (site == nullptr) {
        return std::optional<Stop>();
    }
    const std::string method(time->place().method->name);
    const auto node = time->point().node;
    shown.setFocus(site, false);
    for (Breakpoint& each : stops.breakpoints) {
        // From outside of a delegate call, the first of its operators that the location selects.
        std::optional<BreakSite> here;
        if (each.location.contains(breakSite(method, *site, node))) {
            here = breakSite(method, *site, node);
        }
        for (std::size_t i = 0; i < site->inside.size() && !here && !node; ++i) {
            if (each.location.contains(breakSite(method, *site, i))) {
                here = breakSite(method, *site, i);
            }
        }
        const bool isInRow = here && each.location.isRegion && ran && each.location.contains(*ran);
        if (!here || each.checksAfter || isInRow) {
            continue;
        }
        ET_ASSIGN(const bool met, isMet(each.rule, counting));
        if (!met) {
            continue;
        }
        if (here->node && !node) {
            TimelinePoint inside = time->point();
            inside.node = here->node;
            // A backend without taps cannot stop inside: before the call then.
            static_cast<void>(time->jump(inside));
        }
        ET_ASSIGN(Stop stop, stopHere(StopReason::Breakpoint));
        stop.rule = each.rule.id;
        if (each.isTemporary && counting == Counting::On) {
            static_cast<void>(stops.remove(each.rule.id));
        }
        return std::optional(std::move(stop));
    }
    return std::optional<Stop>();
}

Result<Stop> Debugger::begin(std::string_view method, InputSet inputs) {
    ET_TRY(time->begin(method, std::move(inputs)));
    return arrive(StopReason::Start);
}

Result<Stop> Debugger::runWhile(const std::function<bool()>& goesOn) {
    while (true) {
        ET_ASSIGN(std::optional<Stop> stop, advance(Counting::On));
        if (!stop) {
            ET_ASSIGN(stop, checkArrival(Counting::On));
        }
        if (!stop && (time->place().isEnd || !goesOn())) {
            ET_ASSIGN(stop, stopHere(StopReason::Step));
        }
        if (stop) {
            return keep(*std::move(stop));
        }
    }
}

Result<Stop> Debugger::resume(bool includesHere) {
    if (includesHere) {
        ET_ASSIGN(std::optional<Stop> here, checkArrival(Counting::On));
        if (here) {
            return keep(*std::move(here));
        }
    }
    return runWhile([] { return true; });
}

Result<Stop> Debugger::step() {
    ET_ASSIGN(const InstructionSite* const site, nextSite());
    if (site != nullptr && site->delegate && !time->point().node) {
        const auto entered = time->stepInto();
        if (!entered && entered.error().code == ErrorCode::Cancelled) {
            ET_ASSIGN(Stop stop, stopHere(StopReason::Interrupted));
            return keep(std::move(stop));
        }
        ET_TRY(entered);
        if (*entered) {
            ET_ASSIGN(Stop stop, stopHere(StopReason::Step));
            return keep(std::move(stop));
        }
    }
    return next();
}

Result<Stop> Debugger::next() {
    return runWhile([] { return false; });
}

Result<Stop> Debugger::finish() {
    const bool isInside = time->point().node.has_value();
    return runWhile([&] { return !isInside || time->point().node.has_value(); });
}

Result<Stop> Debugger::until(const Location& location) {
    return runWhile([&] {
        const auto site = nextSite();
        const TimelinePlace place = time->place();
        return !site || *site == nullptr ||
               !location.contains(breakSite(place.method->name, **site, time->point().node));
    });
}

Result<Stop> Debugger::jump(TimelinePoint to) {
    const auto jumped = time->jump(to);
    if (!jumped) {
        if (jumped.error().code != ErrorCode::Cancelled) {
            return std::unexpected(jumped.error());
        }
        return arrive(StopReason::Interrupted);
    }
    return arrive(to.step == 0 && !to.node ? StopReason::Start : StopReason::Step);
}

Result<Stop> Debugger::reverseStep() {
    ET_ASSIGN(Stop stop, reverseNext());
    if (stop.site == nullptr || !stop.site->delegate || stop.node || stop.reason == StopReason::Start) {
        return stop;
    }
    const auto view = time->delegate();
    if (!view || *view == nullptr || (*view)->nodes == 0) {
        return stop;
    }
    TimelinePoint inside = time->point();
    inside.node = (*view)->nodes - 1;
    return jump(inside);
}

Result<Stop> Debugger::reverseNext() {
    const auto back = time->stepBack();
    if (!back && back.error().code == ErrorCode::Cancelled) {
        return arrive(StopReason::Interrupted);
    }
    ET_TRY(back);
    const bool isStart = time->point() == TimelinePoint{};
    return arrive(*back && !isStart ? StopReason::Step : StopReason::Start);
}

Result<Stop> Debugger::reverseFinish() {
    TimelinePoint to = time->point();
    if (to.node) {
        to.node.reset();
    } else {
        to.step = 0;
    }
    return jump(to);
}

Result<std::optional<Stop>> Debugger::lastStopBetween(TimelinePoint from, TimelinePoint limit) {
    ET_TRY(time->jump(from));
    moved();
    std::optional<Stop> found;
    bool checksHere = from.step == 0;
    while (time->point() < limit) {
        if (checksHere) {
            ET_ASSIGN(std::optional<Stop> arrival, checkArrival(Counting::Off));
            found = arrival && arrival->point < limit ? std::move(arrival) : std::move(found);
        }
        checksHere = true;
        const bool isEnd = time->place().isEnd;
        ET_ASSIGN(std::optional<Stop> stop, advance(Counting::Off));
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
    ET_TRY(nextSite());
    const TimelinePoint origin = time->point();
    for (std::size_t execution = origin.execution + 1; execution-- > 0;) {
        const ExecutionInfo info = time->execution(execution);
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
            ET_TRY(time->jump(found->point));
            moved();
            return keep(*found);
        }
    }
    return jump({});
}

}  // namespace et::tasks

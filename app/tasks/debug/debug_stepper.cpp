#include "app/tasks/debug/debug_stepper.h"

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

DebugStepper::DebugStepper(std::unique_ptr<Timeline> made, std::shared_ptr<const etrecord::Record> record,
                           DebugProgress* reported)
    : time(std::move(made)),
      names(time->model(), record),
      expected(record == nullptr ? nullptr : std::make_unique<TimelineReference>(*time, record)),
      accesses(*time),
      shown(*time, accesses, names, expected.get()),
      progress(reported) {
}

Result<const InstructionSite*> DebugStepper::nextSite() {
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

Result<Stop> DebugStepper::stopHere(StopReason reason) {
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

void DebugStepper::moved() {
    ran.reset();
    for (Watchpoint& each : stops.watchpoints) {
        each.forget();
    }
}

Result<bool> DebugStepper::isMet(StopRule& rule, Counting counting) {
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

Result<std::optional<Stop>> DebugStepper::checkAfter(const WatchContext& at, Counting counting) {
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

Result<std::optional<Stop>> DebugStepper::advance(Counting counting) {
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

Result<std::optional<Stop>> DebugStepper::checkArrival(Counting counting) {
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

}  // namespace et::tasks

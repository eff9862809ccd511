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

/// Whether a node of a delegate call is this operator.
bool isSame(const InnerDebugValue& node, const DelegateOperator& inside) {
    const auto& handle = node.site.debugHandle;
    return node.site.nodeKind.ends_with(inside.kind) &&
           (!handle || std::ranges::contains(inside.origin.handles, core::DebugHandle(*handle)));
}

/// The node of the call that runs this operator; nothing if its value cannot be read.
std::optional<std::size_t> nodeOf(const DelegateView& view, const InstructionSite& site, std::size_t inside) {
    if (view.values.size() == site.inside.size()) {
        return inside;
    }
    const auto found = std::ranges::find_if(
        view.values, [&](const InnerDebugValue& each) { return isSame(each, site.inside[inside]); });
    return found == view.values.end() ? std::nullopt : std::optional(found->node);
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
    if (stop.node) {
        ET_ASSIGN(stop.inner, innerOperator());
    }
    return stop;
}

Result<std::optional<std::size_t>> DebugStepper::insideIndex(const InstructionSite& site) {
    const auto node = time->point().node;
    if (!node) {
        return std::optional<std::size_t>();
    }
    ET_ASSIGN(const DelegateView* const view, time->delegate());
    if (view == nullptr || *node >= view->values.size() || view->values.size() == site.inside.size()) {
        return node;
    }
    const auto found = std::ranges::find_if(
        site.inside, [&](const DelegateOperator& each) { return isSame(view->values[*node], each); });
    return found == site.inside.end() ? node : std::optional<std::size_t>(found - site.inside.begin());
}

Result<std::optional<DelegateOperator>> DebugStepper::innerOperator() {
    if (!time->point().node) {
        return std::optional<DelegateOperator>();
    }
    const TimelinePlace place = time->place();
    ET_ASSIGN(const MethodIndex* const method, names.method(place.method->name));
    return std::optional(DelegateOperator{.kind = place.op, .origin = method->originOf(place.handles)});
}

void DebugStepper::moved() {
    ran.reset();
    for (Watchpoint& each : stops.watchpoints) {
        each.forget();
    }
}

std::string DebugStepper::unresolvedNames() const {
    std::string text;
    const auto add = [&](std::string_view kind, const StopRule& rule) {
        if (rule.isEnabled && !rule.isResolved && !rule.unresolved.empty()) {
            text += fmt::format("{}{} {}: {}", text.empty() ? "" : "; ", kind, rule.id, rule.unresolved);
        }
    };
    for (const Breakpoint& each : stops.breakpoints) {
        add("breakpoint", each.rule);
    }
    for (const Watchpoint& each : stops.watchpoints) {
        add("watchpoint", each.rule);
    }
    return text;
}

Result<bool> DebugStepper::isMet(StopRule& rule, Counting counting) {
    if (!rule.isEnabled) {
        return false;
    }
    if (!rule.condition.isEmpty()) {
        const auto holds = rule.condition.holds(DebugScope(shown, nullptr, rule.hits));
        // Names that exist only at other instructions are allowed.
        if (!holds && holds.error().code != ErrorCode::NotFound &&
            holds.error().code != ErrorCode::Unsupported) {
            return std::unexpected(holds.error());
        }
        rule.note(holds.has_value() ? nullptr : &holds.error());
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
    const BreakSite site = breakSite(at.method.method().name, *at.site, at.inside);
    const auto stopAfter = [&](StopReason reason, std::size_t rule) {
        Stop stop{.reason = reason,
                  .point = time->point(),
                  .method = site.method,
                  .site = at.site,
                  .node = at.point.node,
                  .inner = at.inner,
                  .isAfter = true,
                  .rule = rule};
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
    ET_ASSIGN(const std::optional<std::size_t> inside, insideIndex(*site));
    ET_ASSIGN(const std::optional<DelegateOperator> inner, innerOperator());
    const WatchContext at{.values = shown,
                          .history = accesses,
                          .reference = expected.get(),
                          .method = *index,
                          .site = site,
                          .point = time->point(),
                          .inside = inside,
                          .inner = inner};
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
    ran = breakSite(method, *site, inside);
    shown.setFocus(site, true);
    return checkAfter(at, counting);
}

Result<bool> DebugStepper::stepInto(const InstructionSite& site) {
    const Running running(progress, time->point(), site);
    return time->stepInto();
}

/// Goes to an operator inside the call that comes next. A backend without taps cannot stop inside: it stays
/// before the call.
Result<> DebugStepper::enter(const InstructionSite& site, std::size_t inside) {
    const Running running(progress, time->point(), site);
    const auto view = time->delegate();
    const auto node = view && *view != nullptr ? nodeOf(**view, site, inside) : std::nullopt;
    if (!node) {
        return {};
    }
    TimelinePoint to = time->point();
    to.node = node;
    return time->jump(to);
}

Result<std::optional<Stop>> DebugStepper::checkArrival(Counting counting, Arrival arrival) {
    ET_ASSIGN(const InstructionSite* const site, nextSite());
    if (site == nullptr) {
        return std::optional<Stop>();
    }
    const std::string method(time->place().method->name);
    ET_ASSIGN(const std::optional<std::size_t> node, insideIndex(*site));
    shown.setFocus(site, false);
    const BreakSite next = breakSite(method, *site, node);
    for (Breakpoint& each : stops.breakpoints) {
        // From outside of a delegate call, the first of its operators that the location selects.
        std::optional<BreakSite> here;
        if (each.location.contains(next)) {
            here = next;
        }
        for (std::size_t i = 0; i < site->inside.size() && !here && !node; ++i) {
            if (each.location.contains(breakSite(method, *site, i))) {
                here = breakSite(method, *site, i);
            }
        }
        if (arrival == Arrival::InsideOnly && (node || !here || !here->node)) {
            continue;
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
            ET_TRY(enter(*site, *here->node));
            if (arrival == Arrival::InsideOnly && !time->point().node) {
                continue;
            }
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

// How the memory view and the shared selection follow one another.
#include "visualizers/memory/memory_view.h"
#include "visualizers/memory/tensor_pane.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QComboBox>
#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

using inspector::Step;

void MemoryView::chooseTensor(std::size_t tensor) {
    const MemoryPlan* const of = plan();
    if (of == nullptr) {
        return;
    }
    widget->setChosenTensor(tensor);
    tensorPane->choose(tensor);
    const auto& producer = of->timeline.tensors[tensor].producer;
    if (producer && producer->chain == 0) {
        const QScopedValueRollback quiet(choosing, true);
        chosen.setOperator(
            {.method = std::string(of->timeline.method->name), .instruction = producer->instruction});
        widget->setChosenStep(selectedStep());
        tensorPane->setStep(selectedStep());
        tensorPane->choose(tensor);
    }
}

void MemoryView::chooseStep(Step step) {
    const MemoryPlan* const of = plan();
    if (of == nullptr) {
        return;
    }
    const auto& steps = of->timeline.steps;
    tensorPane->setMode(TensorPane::Mode::Step);
    if (step >= 0 && static_cast<std::size_t>(step) < steps.size() &&
        steps[static_cast<std::size_t>(step)].chain == 0) {
        chosen.setOperator({.method = std::string(of->timeline.method->name),
                            .instruction = steps[static_cast<std::size_t>(step)].instruction});
    }
    widget->setChosenStep(step);
    tensorPane->setStep(step);
}

std::optional<Step> MemoryView::selectedStep() const {
    const auto& of = chosen.currentOperator();
    const MemoryPlan* const shown = plan();
    if (shown == nullptr || !of) {
        return std::nullopt;
    }
    const inspector::MemoryTimeline& timeline = shown->timeline;
    // Without a record nobody knows the method of an event.
    if (of->method != timeline.method->name && !(of->method.empty() && shown->onlyMethod)) {
        return std::nullopt;
    }
    const inspector::InstructionPlace place{.chain = 0, .instruction = of->instruction};
    const auto found = std::ranges::find(timeline.steps, place);
    return found == timeline.steps.end() ? std::nullopt : std::optional<Step>(found - timeline.steps.begin());
}

// The largest that the step is the first to write.
std::optional<std::size_t> MemoryView::tensorOf(std::optional<Step> step) const {
    const MemoryPlan* const shown = plan();
    if (shown == nullptr || !step || *step < 0) {
        return std::nullopt;
    }
    const inspector::MemoryTimeline& timeline = shown->timeline;
    const inspector::InstructionPlace place = timeline.steps[static_cast<std::size_t>(*step)];
    const auto& boxes = widget->boxes();  // largest first
    const auto found = std::ranges::find_if(
        boxes, [&](const PlanBox& box) { return timeline.tensors[box.tensor].producer == place; });
    return found == boxes.end() ? std::nullopt : std::optional(found->tensor);
}

void MemoryView::showSelection() {
    if (choosing || plan() == nullptr) {
        return;
    }
    const auto& of = chosen.currentOperator();
    const auto method =
        of ? std::ranges::find_if(plans.methods,
                                  [&](const auto& each) { return each->timeline.method->name == of->method; })
           : plans.methods.end();
    if (method != plans.methods.end() && *method != sharedPlan()) {
        const QScopedValueRollback quiet(choosing, true);
        methods->setCurrentIndex(static_cast<int>(method - plans.methods.begin()));
    }
    const auto step = selectedStep();
    const auto tensor = tensorOf(step);
    widget->setChosenStep(step);
    widget->setChosenTensor(tensor);
    tensorPane->setStep(step);
    tensorPane->choose(tensor);
}

void MemoryView::showSelectedRange() {
    const inspector::EventBlocks* const blocks = opened.blocks();
    const auto range = chosen.range();
    const bool fits = times && (!range || (times->origin <= range->last && range->first <= times->end()));
    if (const MemoryPlan* const shown = plan(); shown != nullptr && blocks != nullptr && !fits) {
        times = inspector::stepTimes(
            shown->timeline, *blocks, shown->onlyMethod,
            range ? std::optional(inspector::TickSpan{.first = range->first, .last = range->last})
                  : std::nullopt);
        clock = times ? PlanAxis(*times) : PlanAxis();
        const auto& options = blocks->options();
        const std::string_view unit = inspector::facts(options.target).name;
        widget->setTimeUnit(inspector::ticksPerUnit(options.source, options.target),
                            QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())));
        if (axes->currentIndex() == 1 && times) {
            widget->setAxis(clock);
        }
    }
    axes->setEnabled(times.has_value());
    axes->setToolTip(times ? tr("What the horizontal axis is")
                           : tr("What the horizontal axis is; open a trace of this program for its time"));
    std::optional<AxisRange> seen;
    if (range && times && range->last >= times->origin && range->first <= times->end()) {
        seen = AxisRange{.from = placeOf(range->first), .to = placeOf(range->last)};
    }
    widget->setRange(seen);
}

// Of the axis that is on screen; ticks before and after the run are at its ends.
double MemoryView::placeOf(std::uint64_t tick) const {
    const double time =
        tick <= times->origin ? 0 : std::min(static_cast<double>(tick - times->origin), clock.length());
    if (widget->window().axis.isTime()) {
        return time;
    }
    const Step step = clock.stepAt(time);
    const double length = clock.endOf(step) - clock.startOf(step);
    const double part = length > 0 ? (time - clock.startOf(step)) / length : 0;
    return static_cast<double>(step + 1) + std::clamp(part, 0.0, 1.0);
}

std::uint64_t MemoryView::tickOf(double place) const {
    if (widget->window().axis.isTime()) {
        return times->origin + static_cast<std::uint64_t>(place);
    }
    const double whole = std::floor(place);
    const Step step = static_cast<Step>(whole) - 1;
    const double time = clock.startOf(step) + (place - whole) * (clock.endOf(step) - clock.startOf(step));
    return times->origin + static_cast<std::uint64_t>(time);
}

void MemoryView::markRange(double from, double to) {
    if (times) {
        chosen.setRange(TickRange{.first = tickOf(from), .last = tickOf(to)});
    }
}

}  // namespace et::visualizers

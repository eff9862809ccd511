#include "visualizers/memory/memory_selection.h"

#include "visualizers/debug_state.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/memory/tensor_pane.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace et::visualizers {

using inspector::Step;

MemorySelection::MemorySelection(PlanWidget& picture, TensorPane& tensors, const OpenSession& session,
                                 Selection& shared, const DebugState& debugger, QObject* parent)
    : QObject(parent),
      widget(picture),
      tensorPane(tensors),
      opened(session),
      chosen(shared),
      debugged(debugger) {
    connect(&debugged, &DebugState::pointChanged, this, &MemorySelection::showDebugger);
    connect(&widget, &PlanWidget::tensorChosen, this, &MemorySelection::chooseTensor);
    connect(&widget, &PlanWidget::stepChosen, this, &MemorySelection::chooseStep);
    connect(&tensorPane, &TensorPane::tensorChosen, this, &MemorySelection::chooseTensor);
    connect(&chosen, &Selection::currentChanged, this, &MemorySelection::follow);
    connect(&widget, &PlanWidget::pointed, this, &MemorySelection::point);
    connect(&chosen, &Selection::hoverChanged, this, &MemorySelection::showHovered);
}

void MemorySelection::setPlan(std::shared_ptr<const MemoryPlan> shown) {
    plan = std::move(shown);
    showDebugger();
}

void MemorySelection::showDebugger() {
    const auto& point = debugged.point();
    widget.setCurrentStep(point ? stepOf(point->place) : std::nullopt);
}

void MemorySelection::follow() {
    if (choosing || !plan) {
        return;
    }
    if (const auto& of = chosen.currentOperator()) {
        const QScopedValueRollback quiet(choosing, true);
        emit methodWanted(of->method);
    }
    const auto step = selectedStep();
    const auto tensor = tensorOf(step);
    widget.setChosenStep(step);
    widget.setChosenTensor(tensor);
    tensorPane.setStep(step);
    tensorPane.choose(tensor);
}

void MemorySelection::chooseTensor(std::size_t tensor) {
    if (!plan) {
        return;
    }
    widget.setChosenTensor(tensor);
    tensorPane.choose(tensor);
    const auto& producer = plan->timeline.tensors[tensor].producer;
    if (producer && producer->chain == 0) {
        const QScopedValueRollback quiet(choosing, true);
        chosen.setOperator(
            {.method = std::string(plan->timeline.method->name), .instruction = producer->instruction});
        widget.setChosenStep(selectedStep());
        tensorPane.setStep(selectedStep());
        tensorPane.choose(tensor);
    }
}

void MemorySelection::chooseStep(Step step) {
    if (!plan) {
        return;
    }
    const auto& steps = plan->timeline.steps;
    tensorPane.setMode(TensorPane::Mode::Step);
    if (step >= 0 && static_cast<std::size_t>(step) < steps.size() &&
        steps[static_cast<std::size_t>(step)].chain == 0) {
        chosen.setOperator({.method = std::string(plan->timeline.method->name),
                            .instruction = steps[static_cast<std::size_t>(step)].instruction});
    }
    widget.setChosenStep(step);
    tensorPane.setStep(step);
}

std::optional<Step> MemorySelection::selectedStep() const {
    const auto& of = chosen.currentOperator();
    return of ? stepOf(*of) : std::nullopt;
}

std::optional<Step> MemorySelection::stepOf(const OperatorRef& of) const {
    if (!plan) {
        return std::nullopt;
    }
    const inspector::MemoryTimeline& timeline = plan->timeline;
    // Without a record, the method of an event is unknown.
    if (of.method != timeline.method->name && !(of.method.empty() && plan->onlyMethod)) {
        return std::nullopt;
    }
    const inspector::ChainPosition place{.chain = 0, .instruction = of.instruction};
    const auto found = std::ranges::find(timeline.steps, place);
    return found == timeline.steps.end() ? std::nullopt : std::optional<Step>(found - timeline.steps.begin());
}

// The largest tensor that the step is the first to write.
std::optional<std::size_t> MemorySelection::tensorOf(std::optional<Step> step) const {
    if (!plan || !step || *step < 0) {
        return std::nullopt;
    }
    const inspector::MemoryTimeline& timeline = plan->timeline;
    const inspector::ChainPosition place = timeline.steps[static_cast<std::size_t>(*step)];
    const auto& boxes = widget.boxes();  // largest first
    const auto found = std::ranges::find_if(
        boxes, [&](const inspector::PlanBox& box) { return timeline.tensors[box.tensor].producer == place; });
    return found == boxes.end() ? std::nullopt : std::optional(found->tensor);
}

/// Highlights the tensor's writer in the other panels.
void MemorySelection::point(std::optional<std::size_t> tensor) {
    pointing = tensor.has_value();
    const auto producer = plan && tensor ? plan->timeline.tensors[*tensor].producer : std::nullopt;
    chosen.setHovered(producer && producer->chain == 0
                          ? findEvent(opened.blocks(), {.method = std::string(plan->timeline.method->name),
                                                        .instruction = producer->instruction})
                          : std::nullopt);
}

void MemorySelection::showHovered() {
    const auto hovered = chosen.hovered();
    if (!hovered || opened.blocks() == nullptr) {
        if (!pointing) {
            widget.setGlowing(std::nullopt);
        }
        return;
    }
    const inspector::Block& block = opened.blocks()->blocks()[hovered->block];
    const inspector::Event& event = block.events[hovered->event];
    widget.setGlowing(event.chain == 0 ? tensorOf(stepOf(OperatorRef{.method = block.method,
                                                                     .instruction = event.instruction}))
                                       : std::nullopt);
}

}  // namespace et::visualizers

#include "visualizers/selection.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::visualizers {

Selection::Selection(QObject* parent) : QObject(parent) {
}

const inspector::EventBlocks* Selection::blocks() const {
    return opened ? opened->blocks.get() : nullptr;
}

const inspector::Block* Selection::currentBlock() const {
    const inspector::EventBlocks* const joined = blocks();
    return chosen && joined ? &joined->blocks()[chosen->block] : nullptr;
}

const inspector::Event* Selection::currentEvent() const {
    const inspector::Block* const block = currentBlock();
    return block ? &block->events[chosen->event] : nullptr;
}

bool Selection::contains(const std::optional<EventRef>& event) const {
    const inspector::EventBlocks* const joined = blocks();
    return event && joined && event->block < joined->blocks().size() &&
           event->event < joined->blocks()[event->block].events.size();
}

bool Selection::contains(const std::optional<CaseRef>& testCase) const {
    const auto* const bundle = opened ? opened->bundle.get() : nullptr;
    return testCase && bundle != nullptr && testCase->suite < bundle->suites.size() &&
           testCase->testCase < bundle->suites[testCase->suite].cases.size();
}

std::span<const core::DebugHandle> Selection::currentHandles() const {
    const inspector::Event* const event = currentEvent();
    if (event == nullptr) {
        return {};
    }
    return event->handles.empty() ? event->regionHandles : event->handles;
}

std::optional<EventRef> Selection::eventOf(const OperatorRef& instruction) const {
    const inspector::EventBlocks* const joined = blocks();
    for (std::size_t i = 0; joined != nullptr && i < joined->blocks().size(); ++i) {
        const inspector::Block& block = joined->blocks()[i];
        // Without a record nobody knows the method of a block.
        if (!block.method.empty() && block.method != instruction.method) {
            continue;
        }
        const auto found = std::ranges::find_if(block.events, [&](const inspector::Event& event) {
            return event.instruction == instruction.instruction && event.chain >= 0 && !event.samples.empty();
        });
        if (found != block.events.end()) {
            return EventRef{i, static_cast<std::size_t>(found - block.events.begin())};
        }
    }
    return std::nullopt;
}

std::optional<OperatorRef> Selection::operatorOf(const std::optional<EventRef>& event) const {
    if (!contains(event)) {
        return std::nullopt;
    }
    const inspector::Block& block = blocks()->blocks()[event->block];
    const inspector::Event& row = block.events[event->event];
    return row.chain < 0 ? std::nullopt
                         : std::optional(OperatorRef{.method = block.method, .instruction = row.instruction});
}

void Selection::setSession(std::shared_ptr<const inspector::Session> session) {
    const inspector::Event* const before = currentEvent();
    const std::string name{before ? before->name : std::string_view{}};
    const std::optional<EventRef> place = std::exchange(chosen, std::nullopt);
    const bool sameTrace = session && opened && session->trace == opened->trace;
    opened = std::move(session);
    if (contains(place)) {
        chosen = place;
        const inspector::Event* const now = currentEvent();
        chosen = now && now->name == name ? place : std::nullopt;
    }
    chosenOperator = operatorOf(chosen);
    chosenCase = contains(chosenCase) ? chosenCase : std::nullopt;
    chosenRange = sameTrace ? chosenRange : std::nullopt;
    emit sessionChanged();
    emit currentChanged();
    emit caseChanged();
    emit rangeChanged();
}

void Selection::setCurrent(std::optional<EventRef> event) {
    if (!contains(event)) {
        event.reset();
    }
    if (event != chosen) {
        chosen = event;
        chosenOperator = operatorOf(chosen);
        emit currentChanged();
    }
}

void Selection::setOperator(const OperatorRef& instruction) {
    const std::optional<EventRef> event = eventOf(instruction);
    if (event != chosen || chosenOperator != instruction) {
        chosen = event;
        chosenOperator = instruction;
        emit currentChanged();
    }
}

void Selection::setCase(std::optional<CaseRef> testCase) {
    if (!contains(testCase)) {
        testCase.reset();
    }
    if (testCase != chosenCase) {
        chosenCase = testCase;
        emit caseChanged();
    }
}

void Selection::setRange(std::optional<TickRange> ticks) {
    if (ticks != chosenRange) {
        chosenRange = ticks;
        emit rangeChanged();
    }
}

}  // namespace et::visualizers

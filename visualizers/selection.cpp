#include "visualizers/selection.h"

#include "inspector/join/instruction_keys.h"
#include "inspector/session/same_model.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

bool hasModel(const inspector::Session& session) {
    const inspector::SessionFiles& files = session.files;
    return !files.record.empty() || !files.program.empty() || !files.bundle.empty();
}

/// True if operators of one session are operators of the other.
bool haveSameOperators(const inspector::Session* now, const inspector::Session* before) {
    return now != nullptr && before != nullptr && inspector::haveSameModel(now->files, before->files) &&
           hasModel(*now);
}

/// True if a range of one is valid in the other: the same trace, also after reloading, if it still has events
/// there.
bool haveSameClock(const inspector::Session* now, const inspector::Session* before, const TickRange& range) {
    if (now == nullptr || before == nullptr || now->trace == before->trace) {
        return now != nullptr && before != nullptr;
    }
    if (!now->trace || now->files.trace.empty() || now->files.trace != before->files.trace) {
        return false;
    }
    const etdump::EventColumns& events = now->trace->events();
    for (std::size_t i = 0; i < events.kind.size(); ++i) {
        if (events.kind[i] == etdump::EventKind::Profile && events.start[i] <= range.last &&
            events.end[i] >= range.first) {
            return true;
        }
    }
    return false;
}

std::span<const inspector::Block> blocksOf(const inspector::EventBlocks* blocks) {
    return blocks == nullptr ? std::span<const inspector::Block>() : blocks->blocks();
}

/// Without a record, the method of a block is unknown.
bool mayBeOf(const inspector::Block& block, std::string_view method) {
    return block.method.empty() || block.method == method;
}

/// Null if it is not in these blocks.
const inspector::Event* eventIn(const inspector::EventBlocks* blocks, const std::optional<EventRef>& place) {
    const auto all = blocksOf(blocks);
    return place && place->block < all.size() && place->event < all[place->block].events.size()
               ? &all[place->block].events[place->event]
               : nullptr;
}

/// The event that shares most debug handles (sorted); of several, the one with the fewest others.
std::optional<EventRef> findByHandles(const inspector::EventBlocks* blocks, std::string_view method,
                                      std::span<const core::DebugHandle> handles) {
    struct Fit {
        std::size_t shared = 0;
        std::size_t others = 0;
    };
    std::optional<EventRef> best;
    Fit bestFit;
    const auto all = blocksOf(blocks);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; mayBeOf(all[i], method) && j < all[i].events.size(); ++j) {
            // Events around instructions belong to none, although they report number 0.
            if (!inspector::join::detail::isOfInstruction(all[i].events[j])) {
                continue;
            }
            Fit fit;
            for (const core::DebugHandle handle : all[i].events[j].handles) {
                ++(std::ranges::binary_search(handles, handle) ? fit.shared : fit.others);
            }
            if (fit.shared > bestFit.shared ||
                (best && fit.shared == bestFit.shared && fit.others < bestFit.others)) {
                best = EventRef{i, j};
                bestFit = fit;
            }
        }
    }
    return best;
}

/// The event with the fewest other debug handles; of several, the one that has most of these (sorted): an
/// operator inside a delegate before the call that has all of them.
std::optional<EventRef> findClosest(const inspector::EventBlocks* blocks, std::string_view method,
                                    std::span<const core::DebugHandle> handles) {
    std::optional<EventRef> best;
    std::pair<std::size_t, std::size_t> least;  // debug handles: the event's others, and those it lacks
    const auto all = blocksOf(blocks);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; mayBeOf(all[i], method) && j < all[i].events.size(); ++j) {
            const auto& own = all[i].events[j].handles;
            const auto shared = static_cast<std::size_t>(std::ranges::count_if(
                own, [&](auto handle) { return std::ranges::binary_search(handles, handle); }));
            const std::pair now(own.size() - shared, handles.size() - std::min(shared, handles.size()));
            if (shared > 0 && inspector::join::detail::isOfInstruction(all[i].events[j]) &&
                (!best || now < least)) {
                best = EventRef{i, j};
                least = now;
            }
        }
    }
    return best;
}

/// Nothing if it belongs to no instruction or is not in these blocks.
std::optional<OperatorRef> operatorAt(const inspector::EventBlocks* blocks,
                                      const std::optional<EventRef>& event) {
    const inspector::Event* const row = eventIn(blocks, event);
    if (row == nullptr || row->chain < 0) {
        return std::nullopt;
    }
    return OperatorRef{.method = blocks->blocks()[event->block].method,
                       .instruction = row->instruction,
                       .delegated = row->delegated ? std::string(row->name) : std::string()};
}

/// The debug handles that an event reports, otherwise those of its delegate.
std::span<const core::DebugHandle> handlesOf(const inspector::Event& event) {
    return event.handleSource == inspector::HandleSource::UnmappedDelegate ? event.regionHandles
                                                                           : event.handles;
}

bool hasCase(const OpenSession& open, const std::optional<CaseRef>& testCase) {
    const auto* const bundle = open.session() ? open.session()->bundle.get() : nullptr;
    return testCase && bundle != nullptr && testCase->suite < bundle->suites.size() &&
           testCase->testCase < bundle->suites[testCase->suite].cases.size();
}

}  // namespace

std::optional<EventRef> findEvent(const inspector::EventBlocks* blocks, const OperatorRef& which) {
    std::optional<EventRef> call;
    std::optional<EventRef> inside;
    const auto all = blocksOf(blocks);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; mayBeOf(all[i], which.method) && j < all[i].events.size(); ++j) {
            const inspector::Event& event = all[i].events[j];
            if (event.instruction != which.instruction || event.chain < 0 || event.samples.empty()) {
                continue;
            }
            if (event.delegated ? event.name == which.delegated : which.delegated.empty()) {
                return EventRef{i, j};
            }
            std::optional<EventRef>& first = event.delegated ? inside : call;
            first = first ? first : EventRef{i, j};
        }
    }
    return call ? call : inside;
}

Selection::Selection(const OpenSession& session, QObject* parent) : QObject(parent), open(session) {
    connect(&open, &OpenSession::replaced, this, &Selection::follow);
    connect(&open, &OpenSession::settled, this, [this] {
        emit currentChanged();
        emit eventsChanged();
        emit caseChanged();
        emit rangeChanged();
    });
}

const inspector::Block* Selection::currentBlock() const {
    return chosen ? &open.blocks()->blocks()[chosen->block] : nullptr;
}

const inspector::Event* Selection::currentEvent() const {
    const inspector::Block* const block = currentBlock();
    return block ? &block->events[chosen->event] : nullptr;
}

/// Null if it is not in the open session.
const inspector::Event* Selection::eventAt(const std::optional<EventRef>& place) const {
    return eventIn(open.blocks(), place);
}

std::span<const core::DebugHandle> Selection::currentHandles() const {
    if (!chosenHandles.empty()) {
        return chosenHandles;
    }
    const inspector::Event* const event = currentEvent();
    return event == nullptr ? std::span<const core::DebugHandle>() : handlesOf(*event);
}

void Selection::follow(const SessionPointer& before) {
    const inspector::Session* const now = open.session().get();
    const std::optional<EventRef> place = std::exchange(chosen, std::nullopt);
    const std::optional<OperatorRef> which = std::exchange(chosenOperator, std::nullopt);
    const std::vector<core::DebugHandle> handles = std::exchange(chosenHandles, {});
    together.clear();
    pointed.reset();
    if (place && eventAt(place) != nullptr) {
        const inspector::Event& old = before->blocks->blocks()[place->block].events[place->event];
        chosen = eventAt(place)->name == old.name ? place : std::nullopt;
    }
    const bool sameOperators = haveSameOperators(now, before.get());
    if (sameOperators && !handles.empty()) {
        chosenHandles = handles;
        chosen = chosen ? chosen : findByHandles(open.blocks(), handlesMethod, handles);
    }
    chosenOperator = sameOperators && !chosen && handles.empty() ? which : operatorAt(open.blocks(), chosen);
    if (chosen) {
        together = {*chosen};
    }
    chosenCase = hasCase(open, chosenCase) ? chosenCase : std::nullopt;
    const bool sameRange = chosenRange && haveSameClock(now, before.get(), *chosenRange);
    chosenRange = sameRange ? chosenRange : std::nullopt;
}

/// Reduces a multiple selection to the current event.
void Selection::emitCurrent() {
    const std::vector<EventRef> before =
        std::exchange(together, chosen ? std::vector{*chosen} : std::vector<EventRef>());
    emit currentChanged();
    if (together != before) {
        emit eventsChanged();
    }
}

void Selection::setHovered(std::optional<EventRef> event) {
    if (eventAt(event) == nullptr) {
        event.reset();
    }
    if (event != pointed) {
        pointed = event;
        emit hoverChanged();
    }
}

void Selection::setHoveredHandles(std::string_view method, std::vector<core::DebugHandle> handles) {
    std::ranges::sort(handles);
    setHovered(findClosest(open.blocks(), method, handles));
}

std::span<const core::DebugHandle> Selection::hoveredHandles() const {
    const inspector::Event* const event = eventAt(pointed);
    return event == nullptr ? std::span<const core::DebugHandle>() : handlesOf(*event);
}

void Selection::setCurrent(std::optional<EventRef> event) {
    if (eventAt(event) == nullptr) {
        event.reset();
    }
    if (event != chosen || !chosenHandles.empty()) {
        chosen = event;
        chosenOperator = operatorAt(open.blocks(), chosen);
        chosenHandles.clear();
        emitCurrent();
    }
}

void Selection::setOperator(const OperatorRef& which) {
    const std::optional<EventRef> event = findEvent(open.blocks(), which);
    if (event != chosen || chosenOperator != which || !chosenHandles.empty()) {
        chosen = event;
        chosenOperator = which;
        chosenHandles.clear();
        emitCurrent();
    }
}

void Selection::setHandles(std::string method, std::vector<core::DebugHandle> handles) {
    std::ranges::sort(handles);
    const auto repeated = std::ranges::unique(handles);
    handles.erase(repeated.begin(), repeated.end());
    const std::optional<EventRef> event = findByHandles(open.blocks(), method, handles);
    if (event != chosen || handles != chosenHandles) {
        chosen = event;
        chosenOperator = operatorAt(open.blocks(), chosen);
        chosenHandles = std::move(handles);
        handlesMethod = std::move(method);
        emitCurrent();
    }
}

void Selection::setEvents(std::vector<EventRef> events, std::optional<EventRef> current) {
    std::erase_if(events, [this](const EventRef& event) { return eventAt(event) == nullptr; });
    std::ranges::sort(events);
    const auto repeated = std::ranges::unique(events);
    events.erase(repeated.begin(), repeated.end());
    if (!current || !std::ranges::binary_search(events, *current)) {
        current = events.empty() ? std::nullopt : std::optional(events.front());
    }
    setCurrent(current);
    if (events != together) {
        together = std::move(events);
        emit eventsChanged();
    }
}

void Selection::setCase(std::optional<CaseRef> testCase) {
    if (!hasCase(open, testCase)) {
        testCase.reset();
    }
    if (testCase != chosenCase) {
        chosenCase = testCase;
        emit caseChanged();
    }
}

Choice Selection::choice() const {
    return {chosen, chosenOperator, handlesMethod, chosenHandles, chosenCase, chosenRange};
}

void Selection::setChoice(const Choice& choice) {
    if (!choice.handles.empty()) {
        setHandles(choice.method, choice.handles);
    } else if (choice.instruction && !choice.event) {
        setOperator(*choice.instruction);
    } else {
        setCurrent(choice.event);
    }
    setCase(choice.testCase);
    setRange(choice.range);
}

void Selection::setRange(std::optional<TickRange> ticks) {
    if (ticks != chosenRange) {
        chosenRange = ticks;
        emit rangeChanged();
    }
}

}  // namespace et::visualizers

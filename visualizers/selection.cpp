#include "visualizers/selection.h"

#include "inspector/numeric_gap/gap_sets.h"
#include "inspector/session/same_model.h"

#include <algorithm>
#include <string>
#include <utility>

namespace et::visualizers {

namespace {

/// Whether a gap of one is a gap of the other.
bool haveSameModel(const inspector::Session* left, const inspector::Session* right) {
    return left != nullptr && right != nullptr && inspector::haveSameModel(left->files, right->files);
}

/// The set to show of a new gap, after a set of the one before.
std::optional<std::size_t> setOf(const inspector::GapReport& report, const inspector::GapReport* before,
                                 std::optional<std::size_t> chosen) {
    const std::vector<std::string> names = inspector::setsOf(report);
    if (before != nullptr && !before->otherSets.empty() && names.size() > 1) {
        if (!chosen) {
            return std::nullopt;
        }
        const auto same = std::ranges::find(names, inspector::setsOf(*before)[*chosen]);
        if (same != names.end()) {
            return static_cast<std::size_t>(same - names.begin());
        }
    }
    return inspector::setOfFirstDivergence(report);
}

bool hasModel(const inspector::Session& session) {
    const inspector::SessionFiles& files = session.files;
    return !files.record.empty() || !files.program.empty() || !files.bundle.empty();
}

/// Whether a range of one is a range of the other: of the same trace, also where its file is read again and
/// still has events there.
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

}  // namespace

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
    if (!chosenHandles.empty()) {
        return chosenHandles;
    }
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

std::optional<EventRef> Selection::eventOf(std::string_view method,
                                           std::span<const core::DebugHandle> handles) const {
    struct Fit {
        std::size_t shared = 0;
        std::size_t others = 0;
    };
    std::optional<EventRef> best;
    Fit bestFit;
    const inspector::EventBlocks* const joined = blocks();
    for (std::size_t i = 0; joined != nullptr && i < joined->blocks().size(); ++i) {
        const inspector::Block& block = joined->blocks()[i];
        if (!block.method.empty() && block.method != method) {
            continue;
        }
        for (std::size_t j = 0; j < block.events.size(); ++j) {
            Fit fit;
            for (const core::DebugHandle handle : block.events[j].handles) {
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
    const bool sameModel = haveSameModel(session.get(), opened.get());
    const bool sameRange = chosenRange && haveSameClock(session.get(), opened.get(), *chosenRange);
    const bool sameTests = session && opened && session->bundle == opened->bundle;
    const std::optional<OperatorRef> instruction = std::exchange(chosenOperator, std::nullopt);
    const std::vector<core::DebugHandle> handles = std::exchange(chosenHandles, {});
    opened = session;
    if (contains(place)) {
        chosen = place;
        const inspector::Event* const now = currentEvent();
        chosen = now && now->name == name ? place : std::nullopt;
    }
    const bool sameOperators = sameModel && hasModel(*session);
    if (sameOperators && !handles.empty()) {
        chosenHandles = handles;
        chosen = chosen ? chosen : eventOf(handlesMethod, handles);
    }
    chosenOperator = sameOperators && !chosen && handles.empty() ? instruction : operatorOf(chosen);
    chosenCase = contains(chosenCase) ? chosenCase : std::nullopt;
    chosenRange = sameRange ? chosenRange : std::nullopt;
    emit sessionChanged();
    emit currentChanged();
    emit caseChanged();
    emit rangeChanged();
    if (!sameModel) {
        setGap(nullptr);
    }
    if (!sameTests) {
        setVerdicts(nullptr);
    }
}

void Selection::setCurrent(std::optional<EventRef> event) {
    if (!contains(event)) {
        event.reset();
    }
    if (event != chosen || !chosenHandles.empty()) {
        chosen = event;
        chosenOperator = operatorOf(chosen);
        chosenHandles.clear();
        emit currentChanged();
    }
}

void Selection::setOperator(const OperatorRef& instruction) {
    const std::optional<EventRef> event = eventOf(instruction);
    if (event != chosen || chosenOperator != instruction || !chosenHandles.empty()) {
        chosen = event;
        chosenOperator = instruction;
        chosenHandles.clear();
        emit currentChanged();
    }
}

void Selection::setHandles(std::string method, std::vector<core::DebugHandle> handles) {
    std::ranges::sort(handles);
    const auto repeated = std::ranges::unique(handles);
    handles.erase(repeated.begin(), repeated.end());
    const std::optional<EventRef> event = eventOf(method, handles);
    if (event != chosen || handles != chosenHandles) {
        chosen = event;
        chosenOperator = operatorOf(chosen);
        chosenHandles = std::move(handles);
        handlesMethod = std::move(method);
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

Choice Selection::choice() const {
    return {chosen, chosenOperator, handlesMethod, chosenHandles, chosenCase, chosenRange, chosenSet};
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
    setGapSet(choice.gapSet);
}

void Selection::setRange(std::optional<TickRange> ticks) {
    if (ticks != chosenRange) {
        chosenRange = ticks;
        emit rangeChanged();
    }
}

void Selection::setGap(std::shared_ptr<const inspector::GapReport> report) {
    if (report == knownGap) {
        return;
    }
    const std::optional<std::size_t> set = report ? setOf(*report, knownGap.get(), chosenSet) : 0;
    knownGap = std::move(report);
    staleGap = false;
    showSet(set);
    emit gapChanged();
    emit shownGapChanged();
}

void Selection::showSet(std::optional<std::size_t> set) {
    chosenSet = set;
    if (knownGap && !knownGap->otherSets.empty()) {
        shownGap = std::make_shared<const inspector::GapReport>(set ? inspector::reportOfSet(*knownGap, *set)
                                                                    : inspector::worstOfSets(*knownGap));
    } else {
        shownGap = knownGap;
    }
}

void Selection::setGapSet(std::optional<std::size_t> set) {
    const bool known =
        knownGap && !knownGap->otherSets.empty() && (!set || *set <= knownGap->otherSets.size());
    if (known && set != chosenSet) {
        showSet(set);
        emit shownGapChanged();
    }
}

void Selection::setGapStale(bool stale) {
    stale = stale && knownGap;
    if (stale != staleGap) {
        staleGap = stale;
        emit shownGapChanged();
    }
}

void Selection::setVerdicts(std::shared_ptr<const CaseReports> reports) {
    if (reports != knownVerdicts) {
        knownVerdicts = std::move(reports);
        emit verdictsChanged();
    }
}

}  // namespace et::visualizers

#include "visualizers/selection.h"

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

void Selection::setSession(std::shared_ptr<const inspector::Session> session) {
    const inspector::Event* const before = currentEvent();
    const std::string name{before ? before->name : std::string_view{}};
    const std::optional<EventRef> place = std::exchange(chosen, std::nullopt);
    opened = std::move(session);
    if (contains(place)) {
        chosen = place;
        const inspector::Event* const now = currentEvent();
        chosen = now && now->name == name ? place : std::nullopt;
    }
    emit sessionChanged();
    emit currentChanged();
}

void Selection::setCurrent(std::optional<EventRef> event) {
    if (!contains(event)) {
        event.reset();
    }
    if (event != chosen) {
        chosen = event;
        emit currentChanged();
    }
}

}  // namespace et::visualizers

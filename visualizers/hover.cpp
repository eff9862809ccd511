#include "visualizers/hover.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

Pointed pointedEvent(const inspector::EventBlocks* blocks, const std::optional<EventRef>& event) {
    Pointed next{.event = event, .instruction = operatorAt(blocks, event)};
    if (event) {
        const inspector::Block& block = blocks->blocks()[event->block];
        const auto handles = handlesOf(block.events[event->event]);
        next.method = block.method;
        next.handles.assign(handles.begin(), handles.end());
        std::ranges::sort(next.handles);
    }
    return next;
}

}  // namespace

Hover::Hover(const OpenSession& session, QObject* parent) : QObject(parent), open(session) {
    connect(&open, &OpenSession::settled, this, &Hover::clear);
}

void Hover::pointAt(EventRef event) {
    const auto* const blocks = open.blocks();
    const bool known = blocks != nullptr && event.block < blocks->blocks().size() &&
                       event.event < blocks->blocks()[event.block].events.size();
    if (known && current.event != event) {
        set(pointedEvent(open.blocks(), event));
    }
}

void Hover::pointAt(const OperatorRef& which) {
    if (current.instruction != which) {
        Pointed next = pointedEvent(open.blocks(), findEvent(open.blocks(), which));
        next.instruction = which;
        set(std::move(next));
    }
}

void Hover::pointAt(std::string_view method, std::vector<core::DebugHandle> handles) {
    std::ranges::sort(handles);
    if (current.method != method || current.handles != handles) {
        Pointed next = pointedEvent(open.blocks(), findEvent(open.blocks(), method, handles));
        next.method = method;
        next.handles = std::move(handles);
        set(std::move(next));
    }
}

void Hover::clear() {
    set({});
}

void Hover::set(Pointed next) {
    if (next != current) {
        current = std::move(next);
        emit changed();
    }
}

}  // namespace et::visualizers

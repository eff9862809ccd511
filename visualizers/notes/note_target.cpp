#include "visualizers/notes/note_target.h"

#include "inspector/events/readable_name.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>
#include <optional>
#include <string>

namespace et::visualizers {

namespace {

using inspector::store::Note;

OperatorRef operatorOf(const Note& note) {
    return {.method = note.method, .instruction = *note.instruction, .delegated = note.delegated};
}

/// Returns the display name of the first event with the note's method and debug handle, and with its
/// instruction if the note has one. Empty if there is no such event.
std::string nameByHandle(const Note& note, const inspector::EventBlocks& blocks) {
    for (const inspector::Block& block : blocks.blocks()) {
        if (!block.method.empty() && block.method != note.method) {
            continue;
        }
        const auto found = std::ranges::find_if(block.events, [&](const inspector::Event& event) {
            return std::ranges::contains(event.handles, *note.debugHandle) &&
                   (!note.instruction || (event.chain >= 0 && event.instruction == note.instruction));
        });
        if (found != block.events.end()) {
            return inspector::events::readableName(block, *found);
        }
    }
    return {};
}

/// The operator's display name; for one inside a delegate that the session does not have, its name in the
/// trace. Empty if it has none.
std::string operatorName(const Note& note, const inspector::Session* session) {
    const inspector::EventBlocks* const blocks = session == nullptr ? nullptr : session->blocks.get();
    if (blocks != nullptr && note.debugHandle && note.delegated.empty()) {
        return nameByHandle(note, *blocks);
    }
    const auto place =
        blocks != nullptr && note.instruction ? findEvent(blocks, operatorOf(note)) : std::nullopt;
    if (!place) {
        return note.delegated;
    }
    const inspector::Block& block = blocks->blocks()[place->block];
    return inspector::events::readableName(block, block.events[place->event]);
}

/// A debug handle that leads back to the event (Selection::setHandles()); nothing if each leads to another
/// event with fewer handles, like those of a delegate call.
std::optional<core::DebugHandle> handleOf(const inspector::Block& block, const inspector::Event& event) {
    for (const core::DebugHandle handle : event.handles) {
        const inspector::Event* closest = nullptr;
        for (const inspector::Event& each : block.events) {
            if (std::ranges::contains(each.handles, handle) &&
                (closest == nullptr || each.handles.size() < closest->handles.size())) {
                closest = &each;
            }
        }
        if (closest == &event) {
            return handle;
        }
    }
    return std::nullopt;
}

}  // namespace

Note noteTo(const Selection& selection) {
    Note note;
    if (const auto& chosen = selection.currentOperator()) {
        note.method = chosen->method;
        note.instruction = chosen->instruction;
        note.delegated = chosen->delegated;
    }
    const Choice choice = selection.choice();
    if (!choice.handles.empty()) {
        note.method = choice.method;
        note.debugHandle = choice.handles.front();
    } else if (selection.currentEvent() != nullptr) {
        note.debugHandle = handleOf(*selection.currentBlock(), *selection.currentEvent());
    }
    return note;
}

bool isAboutSession(const Note& note) {
    return note.method.empty() && !note.instruction && !note.debugHandle;
}

void selectTarget(const Note& note, Selection& selection) {
    if (note.debugHandle && note.delegated.empty()) {
        selection.setHandles(note.method, {*note.debugHandle});
        const auto& found = selection.currentOperator();
        if (!note.instruction || (found && found->instruction == *note.instruction)) {
            return;
        }
    }
    if (note.instruction) {
        selection.setOperator(operatorOf(note));
    }
}

QString placeText(const Note& note, const inspector::Session* session) {
    if (isAboutSession(note)) {
        return QStringLiteral("the session");
    }
    QStringList parts;
    if (!note.method.empty()) {
        parts.append(toQString(note.method));
    }
    if (note.instruction) {
        parts.append(QStringLiteral("instruction %1").arg(note.instruction->value));
    }
    if (note.debugHandle) {
        parts.append(QStringLiteral("debug handle %1").arg(note.debugHandle->value));
    }
    const std::string name = operatorName(note, session);
    const QString place = parts.join(QStringLiteral(", "));
    return name.empty() ? place : QStringLiteral("%1: %2").arg(toQString(name), place);
}

}  // namespace et::visualizers

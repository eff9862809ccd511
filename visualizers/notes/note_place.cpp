#include "visualizers/notes/note_place.h"

#include "visualizers/toolkit/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <string_view>

namespace et::visualizers {

namespace {

using inspector::store::Note;

QString translated(const char* text) {
    return QCoreApplication::translate("notes", text);
}

/// What the trace calls the operator; empty: it has none.
std::string_view eventName(const Note& note, const inspector::Session* session) {
    if (session == nullptr || session->blocks == nullptr) {
        return {};
    }
    const auto isIt = [&](const inspector::Event& event) {
        const bool instruction = event.chain >= 0 && event.instruction == note.instruction;
        return note.debugHandle ? std::ranges::contains(event.handles, *note.debugHandle) &&
                                      (instruction || !note.instruction)
                                : instruction;
    };
    for (const inspector::Block& block : session->blocks->blocks()) {
        if (!block.method.empty() && block.method != note.method) {
            continue;
        }
        const auto found = std::ranges::find_if(block.events, isIt);
        if (found != block.events.end()) {
            return found->name;
        }
    }
    return {};
}

/// A debug handle that leads back to the event (Selection::setHandles()); nothing where each leads to another
/// with fewer handles, as those of a delegate's call do.
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

void chooseWhatItIsAbout(const Note& note, Selection& selection) {
    if (note.debugHandle) {
        selection.setHandles(note.method, {*note.debugHandle});
        const auto& found = selection.currentOperator();
        if (!note.instruction || (found && found->instruction == *note.instruction)) {
            return;
        }
    }
    if (note.instruction) {
        selection.setOperator({.method = note.method, .instruction = *note.instruction});
    }
}

QString placeText(const Note& note, const inspector::Session* session) {
    if (isAboutSession(note)) {
        return translated(QT_TRANSLATE_NOOP("notes", "the session"));
    }
    QStringList parts;
    if (!note.method.empty()) {
        parts.append(toQString(note.method));
    }
    if (note.instruction) {
        parts.append(translated(QT_TRANSLATE_NOOP("notes", "instruction %1")).arg(note.instruction->value));
    }
    if (note.debugHandle) {
        parts.append(translated(QT_TRANSLATE_NOOP("notes", "debug handle %1")).arg(note.debugHandle->value));
    }
    const std::string_view name = eventName(note, session);
    const QString place = parts.join(QStringLiteral(", "));
    return name.empty() ? place : QStringLiteral("%1: %2").arg(toQString(name), place);
}

}  // namespace et::visualizers

#include "visualizers/notes/noted_events.h"

#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace et::visualizers {

namespace {

using inspector::store::Note;

/// Of the events with the note's debug handle, the one with the fewest handles.
std::optional<EventRef> eventOf(const inspector::EventBlocks& blocks, const Note& note) {
    std::optional<EventRef> best;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t block = 0; block < blocks.blocks().size(); ++block) {
        const inspector::Block& of = blocks.blocks()[block];
        for (std::size_t event = 0; event < of.events.size(); ++event) {
            const auto handles = of.events[event].handles;
            const bool here = of.method.empty() || of.method == note.method;
            if (here && std::ranges::contains(handles, *note.debugHandle) && handles.size() < fewest) {
                best = EventRef{block, event};
                fewest = handles.size();
            }
        }
    }
    return best;
}

}  // namespace

std::optional<EventRef> notedEvent(const Note& note, const inspector::EventBlocks& blocks) {
    if (note.instruction) {
        return findEvent(
            &blocks, {.method = note.method, .instruction = *note.instruction, .delegated = note.delegated});
    }
    return note.debugHandle ? eventOf(blocks, note) : std::nullopt;
}

std::map<EventRef, QString> notedEvents(const std::vector<Note>& notes,
                                        const inspector::EventBlocks& blocks) {
    std::map<EventRef, QString> noted;
    for (const Note& note : notes) {
        if (const auto event = notedEvent(note, blocks)) {
            addNote(noted[*event], note);
        }
    }
    return noted;
}

void addNote(QString& texts, const Note& note) {
    const QString text = toQStringLines(note.text);
    texts += texts.isEmpty() ? text : u'\n' + text;
}

}  // namespace et::visualizers

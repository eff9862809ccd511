#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/store/session_store.h"
#include "visualizers/selection.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The event of a trace that a note is on; nothing if the note is not on an event or the trace does not
/// contain it.
[[nodiscard]] std::optional<EventRef> notedEvent(const inspector::store::Note& note,
                                                 const inspector::EventBlocks& blocks);

/// Texts of notes by event; several notes on one event are joined with line breaks.
[[nodiscard]] std::map<EventRef, QString> notedEvents(const std::vector<inspector::store::Note>& notes,
                                                      const inspector::EventBlocks& blocks);

/// Appends a note's text on a new line.
void addNote(QString& texts, const inspector::store::Note& note);

}  // namespace et::visualizers

#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/store/session_store.h"
#include "visualizers/selection.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The event of a trace that a note is about; nothing: the note is about none, or the trace has it not.
[[nodiscard]] std::optional<EventRef> notedEvent(const inspector::store::Note& note,
                                                 const inspector::EventBlocks& blocks);

/// What notes say of events; of several to one, a line each.
[[nodiscard]] std::map<EventRef, QString> notedEvents(const std::vector<inspector::store::Note>& notes,
                                                      const inspector::EventBlocks& blocks);

/// Puts a note's text below what other notes say.
void addNote(QString& texts, const inspector::store::Note& note);

}  // namespace et::visualizers

#pragma once

#include "inspector/store/session_store.h"
#include "visualizers/selection.h"

#include <QString>

namespace et::visualizers {

/// An empty note to what is chosen: an instruction, with a debug handle where one leads back to the event, or
/// the first of debug handles that are chosen by themselves; to the session where neither is chosen.
[[nodiscard]] inspector::store::Note noteTo(const Selection& selection);

/// Whether it is about the session rather than about an operator.
[[nodiscard]] bool isAboutSession(const inspector::store::Note& note);

/// Chooses what the note is about; nothing for a note to the session.
void chooseWhatItIsAbout(const inspector::store::Note& note, Selection& selection);

/// "native_call_add.out: forward, instruction 12", as far as the session (null: none) knows it.
[[nodiscard]] QString placeText(const inspector::store::Note& note, const inspector::Session* session);

}  // namespace et::visualizers

#pragma once

#include "inspector/store/session_store.h"
#include "visualizers/selection.h"

#include <QString>

namespace et::visualizers {

/// An empty note on the selection: an instruction, with a debug handle if one leads back to the event, or the
/// first of the debug handles selected without an event; on the session if neither is selected.
[[nodiscard]] inspector::store::Note noteTo(const Selection& selection);

/// True if the note is on the session rather than on an operator.
[[nodiscard]] bool isAboutSession(const inspector::store::Note& note);

/// Selects the subject of the note; does nothing for a note on the session.
void selectTarget(const inspector::store::Note& note, Selection& selection);

/// "native_call_add.out: forward, instruction 12", as far as known to the session (null: none).
[[nodiscard]] QString placeText(const inspector::store::Note& note, const inspector::Session* session);

}  // namespace et::visualizers

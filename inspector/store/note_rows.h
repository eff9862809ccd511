#pragma once

#include "inspector/store/session_store.h"

#include <span>
#include <vector>

namespace et::inspector::store {

/// Appends notes to the existing ones.
[[nodiscard]] core::Result<> addNotes(Database& database, std::span<const Note> notes);

/// In the order of writing. Errors: Limit, those of the database.
[[nodiscard]] core::Result<std::vector<Note>> readNotes(Database& database);

/// Merges concurrent edits of the notes `seen`, resulting in `mine` and `theirs`: additions and removals of
/// both apply. A changed note counts as removed and added.
[[nodiscard]] std::vector<Note> mergedNotes(const std::vector<Note>& seen, const std::vector<Note>& mine,
                                            const std::vector<Note>& theirs);

}  // namespace et::inspector::store

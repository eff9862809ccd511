#pragma once

#include "inspector/store/session_store.h"

#include <span>
#include <vector>

namespace et::inspector::store {

/// Adds notes behind those that are there.
[[nodiscard]] core::Result<> addNotes(Database& database, std::span<const Note> notes);

/// In the order in which they were written. Errors: Limit, those of the database.
[[nodiscard]] core::Result<std::vector<Note>> readNotes(Database& database);

/// What two people made of the notes `seen`, one of them `mine`, the other one `theirs`: what one of them
/// added is there, what one of them removed is not. A note that was changed counts as removed and added.
[[nodiscard]] std::vector<Note> mergedNotes(const std::vector<Note>& seen, const std::vector<Note>& mine,
                                            const std::vector<Note>& theirs);

}  // namespace et::inspector::store

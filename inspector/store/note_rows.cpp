#include "inspector/store/note_rows.h"

#include "inspector/store/database/each_row.h"
#include "inspector/store/session/row_writer.h"
#include "inspector/store/session/session_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector::store {

using core::Result;

Result<> addNotes(Database& database, std::span<const Note> notes) {
    if (notes.empty()) {
        return {};
    }
    ET_ASSIGN(Statement insert,
              database.prepare("INSERT INTO notes (created, method, instruction, debug_handle, text, "
                               "delegated) VALUES (?, ?, ?, ?, ?, ?)"));
    for (const Note& note : notes) {
        ET_TRY(insert.run(note.created.empty() ? utcNow() : note.created, orNull(note.method),
                          note.instruction.transform([](auto id) { return id.value; }),
                          note.debugHandle.transform([](auto id) { return id.value; }), note.text,
                          orNull(note.delegated)));
    }
    return {};
}

Result<std::vector<Note>> readNotes(Database& database) {
    // Before version 3 there were no notes on operators inside delegates.
    ET_ASSIGN(const std::int64_t tellsDelegated,
              database.number("SELECT count(*) FROM pragma_table_info('notes') WHERE name = 'delegated'"));
    const std::string query =
        fmt::format("SELECT created, method, instruction, debug_handle, text, {} FROM notes ORDER BY note",
                    tellsDelegated != 0 ? "delegated" : "NULL");
    std::vector<Note> notes;
    ET_TRY(eachTableRow(database, query, "notes", [&](const Statement& row) -> Result<> {
        Note note{.text = std::string(row.text(4)),
                  .method = std::string(row.text(1)),
                  .delegated = std::string(row.text(5)),
                  .created = std::string(row.text(0))};
        if (!row.isNull(2)) {
            note.instruction = core::InstructionId(static_cast<std::int32_t>(row.integer(2)));
        }
        if (!row.isNull(3)) {
            note.debugHandle = core::DebugHandle(row.integer(3));
        }
        notes.push_back(std::move(note));
        return {};
    }));
    return notes;
}

std::vector<Note> mergedNotes(const std::vector<Note>& seen, const std::vector<Note>& mine,
                              const std::vector<Note>& theirs) {
    std::vector<Note> merged;
    std::ranges::copy_if(mine, std::back_inserter(merged), [&](const Note& note) {
        return !std::ranges::contains(seen, note) || std::ranges::contains(theirs, note);
    });
    std::ranges::copy_if(theirs, std::back_inserter(merged), [&](const Note& note) {
        return !std::ranges::contains(seen, note) && !std::ranges::contains(mine, note);
    });
    return merged;
}

}  // namespace et::inspector::store

#include "app/output/session/session_info.h"

#include "inspector/store/session/session_tables.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace et::output {
namespace {

using core::Result;
using inspector::store::Note;
using inspector::store::SessionStore;
using inspector::store::SessionTable;
using inspector::store::StoredFile;

List fileInfo(const SessionStore& store) {
    return listOf(store.files(), [&](const StoredFile& file) {
        return Dict{{"kind", file.kind}, {"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}};
    });
}

Result<List> tableInfo(const SessionStore& store) {
    List tables;
    for (const SessionTable& table : inspector::store::sessionTables()) {
        ET_ASSIGN(const std::int64_t rows,
                  store.database()->number(fmt::format("SELECT count(*) FROM {}", table.name)));
        if (rows > 0) {
            tables.emplace_back(Dict{{"table", std::string(table.name)}, {"rows", rows}});
        }
    }
    return tables;
}

List verdictInfo(const std::vector<bundled_program::CaseReport>& cases) {
    return listOf(cases, [&](const bundled_program::CaseReport& each) {
        return Dict{{"method", each.method},
                    {"case", static_cast<std::uint64_t>(each.index)},
                    {"verdict", std::string(name(each.verdict))},
                    {"message", textCell(each.message)}};
    });
}

List noteInfo(const std::vector<Note>& notes) {
    return listOf(notes, [&](const Note& note) {
        return Dict{{"created", note.created},
                    {"method", textCell(note.method)},
                    {"instruction", note.instruction ? Cell(std::int64_t{note.instruction->value}) : Cell()},
                    {"delegated", textCell(note.delegated)},
                    {"debug_handle", note.debugHandle ? Cell(note.debugHandle->value) : Cell()},
                    {"text", note.text}};
    });
}

}  // namespace

Result<Dict> sessionInfo(const SessionStore& store) {
    ET_ASSIGN(List tables, tableInfo(store));
    ET_ASSIGN(const std::vector<Note> notes, store.notes());
    ET_ASSIGN(const std::vector<bundled_program::CaseReport> verdicts, store.verdicts());
    return Dict{{"files", fileInfo(store)},
                {"tables", std::move(tables)},
                {"verdicts", verdictInfo(verdicts)},
                {"notes", noteInfo(notes)}};
}

}  // namespace et::output

#include "inspector/store/database/database_file.h"
#include "inspector/store/note_rows.h"
#include "inspector/store/session/file_parts.h"
#include "inspector/store/session/session_rows.h"
#include "inspector/store/session_store.h"
#include "runtime/core/file_replacement.h"
#include "runtime/native/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

Result<> addDetails(RowWriter& rows, const Session& session, const SaveOptions& options) {
    ET_TRY(rows.add("session", "created", utcNow()));
    ET_TRY(rows.add("session", "writer", options.writer));
    if (session.blocks != nullptr) {
        const JoinOptions& join = session.blocks->options();
        ET_TRY(rows.add("session", "source_time_unit", traits(join.clock.unit).name));
        ET_TRY(rows.add("session", "time_unit", traits(join.target).name));
        if (!join.clock.delegates.empty()) {
            ET_TRY(rows.add("session", "delegate_time_units", delegateTimeScalesText(join.clock.delegates)));
        }
        ET_TRY(rows.add("session", "method", join.method));
        ET_TRY(rows.add("session", "reference_quirks", join.referenceQuirks ? "1" : "0"));
        ET_TRY(rows.add("session", "every_repeat", join.everyRepeat ? "1" : "0"));
    }
    for (const std::string& problem : session.problems) {
        ET_TRY(rows.add("warnings", "files", problem));
    }
    for (const LayoutEntry& entry : options.layout) {
        ET_TRY(rows.add("layout", entry.key, entry.value));
    }
    return addNotes(rows.of(), options.notes);
}

/// Adds all tables except those of the files.
Result<> addTables(RowWriter& rows, const Session& session, const SaveOptions& options) {
    NodeRowsByMethod edgeNodes;
    ET_TRY(addDetails(rows, session, options));
    ET_TRY(addProgramRows(rows, session, options.backends));
    ET_TRY(addGraphRows(rows, session, options.backends, edgeNodes));
    ET_TRY(addTraceRows(rows, session, options.backends, edgeNodes));
    ET_TRY(addTestRows(rows, session));
    ET_TRY(addVerdictRows(rows, session, options.verdicts));
    return options.gap == nullptr ? Result<>() : addGapRows(rows, *options.gap);
}

/// Returns a file name without folders that is unique in the session.
std::string nameFor(const fs::path& path, std::string_view kind, std::vector<std::string>& taken) {
    std::string given = path.filename().string();
    // Characters that sessions reject in names.
    std::ranges::replace_if(
        given, [](char each) { return static_cast<unsigned char>(each) < ' ' || each == '\\'; }, '_');
    std::string name = given;
    for (int i = 1; name.empty() || std::ranges::contains(taken, name); ++i) {
        name = fmt::format("{}{}-{}", kind, i, given);
    }
    taken.push_back(name);
    return name;
}

/// A file of a session. Open files are saved as they were read, even if deleted from the disk meanwhile.
struct OpenFile {
    std::string_view kind;
    std::optional<std::size_t> trace;
    fs::path path;
    const core::MappedFile* content;  ///< null: not yet open
};

const core::MappedFile* fileOf(const std::shared_ptr<const etdump::Trace>& trace) {
    return trace == nullptr ? nullptr : &trace->file();
}

/// The counter file of a trace; its path is empty if there are no counters.
OpenFile countsOf(std::size_t number, const fs::path& trace, const EventBlocks* blocks) {
    const auto counts = blocks == nullptr ? nullptr : blocks->options().counts;
    return counts == nullptr
               ? OpenFile{.kind = countersKind, .trace = number, .path = {}, .content = nullptr}
               : OpenFile{countersKind, number, InstructionCounts::fileOf(trace), counts->file.get()};
}

/// Lists the files of a session; the counters of a trace follow it.
std::vector<OpenFile> filesOf(const Session& session) {
    const SessionFiles& names = session.files;
    const auto* const record = session.record == nullptr ? nullptr : &session.record->file();
    const auto* const program = session.program == nullptr ? nullptr : session.program->file.get();
    const auto* const bundle = session.bundle == nullptr ? nullptr : session.bundle->file.get();
    const auto* const package = session.package == nullptr ? nullptr : session.package->file.get();
    std::vector<OpenFile> files{
        {"trace", 0, names.trace, fileOf(session.trace)},
        countsOf(0, names.trace, session.blocks.get()),
        {"debug_buffer", 0, names.debugBuffer, session.debugBuffer.get()},
        {"record", std::nullopt, names.record, record},
        {"program", std::nullopt, names.program, program},
        {"bundle", std::nullopt, names.bundle, bundle},
        {"package", std::nullopt, names.package, package},
        {"tensor_data", std::nullopt, names.tensorData, nullptr},
    };
    for (std::size_t i = 0; i < session.others.size(); ++i) {
        const OtherTrace& other = session.others[i];
        files.push_back({"trace", i + 1, other.files.trace, fileOf(other.trace)});
        files.push_back(countsOf(i + 1, other.files.trace, other.blocks.get()));
        files.push_back({"debug_buffer", i + 1, other.files.debugBuffer, other.values.get()});
    }
    std::erase_if(files, [](const OpenFile& file) { return file.path.empty(); });
    return files;
}

Result<> addFiles(RowWriter& rows, const Session& session, bool withContent) {
    std::vector<std::string> taken;
    std::string nameOfTrace;
    std::int64_t number = 1;
    std::int64_t part = 1;
    for (const OpenFile& file : filesOf(session)) {
        std::shared_ptr<const core::MappedFile> opened;
        if (file.content == nullptr) {
            ET_ASSIGN(opened, core::MappedFile::open(file.path));
        }
        const core::MappedFile& content = file.content == nullptr ? *opened : *file.content;
        const auto checksum = withContent ? std::optional(checksumOf(content)) : std::nullopt;
        // The name of a counter file is derived from that of its trace.
        const fs::path path = file.kind == countersKind ? InstructionCounts::fileOf(nameOfTrace) : file.path;
        const std::string name = nameFor(path, file.kind, taken);
        nameOfTrace = file.kind == "trace" ? name : nameOfTrace;
        ET_TRY(rows.add("files", number, file.kind, file.trace, name, content.bytes().size(), checksum));
        if (withContent) {
            ET_TRY(addFileParts(rows, number, content, part));
        }
        ++number;
    }
    return {};
}

Result<> fill(Database& database, const Session& session, const SaveOptions& options, bool withContent) {
    ET_ASSIGN(Transaction transaction, database.begin());
    RowWriter rows(database, options.cancel);
    ET_TRY(addFiles(rows, session, withContent));
    ET_TRY(addTables(rows, session, options));
    return transaction.commit();
}

/// Checks a file that is about to be replaced. `held`: the opened file; null if it could not be opened.
Result<> refuseToLoseNotes(const fs::path& path, Database* held) {
    const auto refuse = [&](std::string_view what) {
        return fail(ErrorCode::InvalidArgument, fmt::format("refusing to replace {} (use --force)", what),
                    {.file = path.string(), .field = {}, .offset = {}});
    };
    if (held == nullptr) {
        return isDatabase(path) ? Result<>(refuse("an unreadable database")) : Result<>();
    }
    const auto application = held->number("PRAGMA application_id");  // inside the transaction that locks it
    if (!application || *application != sessionSchema().applicationId) {
        return refuse("a database of another program");
    }
    const auto notes = held->number("SELECT count(*) FROM notes");
    if (!notes) {
        return refuse("a damaged session");
    }
    return *notes == 0
               ? Result<>()
               : Result<>(refuse(fmt::format("a session with {} note{}", *notes, *notes == 1 ? "" : "s")));
}

/// Merges notes that others wrote to `replaced` since `options.lastSeen` into `database`. Returns the merged
/// notes.
Result<std::vector<Note>> takeNotesOfOthers(Database& database, Database& replaced,
                                            const SaveOptions& options) {
    ET_ASSIGN(const std::vector<Note> theirs, readNotes(replaced));
    std::vector<Note> notes = mergedNotes(*options.lastSeen, options.notes, theirs);
    if (notes != options.notes) {
        ET_ASSIGN(Transaction transaction, database.begin());
        ET_TRY(database.run("DELETE FROM notes"));
        ET_TRY(addNotes(database, notes));
        ET_TRY(transaction.commit());
    }
    return notes;
}

}  // namespace

Result<std::vector<Note>> saveSession(const fs::path& path, const Session& session,
                                      const SaveOptions& options) {
    ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(path));
    if (file.writtenTo().empty()) {
        return fail(ErrorCode::InvalidArgument, "a session can only be saved to a file",
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(auto database, Database::create(file.writtenTo(), sessionSchema()));
    ET_TRY(fill(*database, session, options, true));
    ET_ASSIGN(const auto replaced, Database::holdForReplacement(file.takes()));
    if (options.replace == Replace::NoNotes) {
        ET_TRY(refuseToLoseNotes(file.takes(), replaced.get()));
    }
    if (replaced == nullptr) {
        removeJournals(file.takes());  // left by a deleted or damaged file
    }
    std::vector<Note> notes = options.notes;
    if (replaced != nullptr && options.lastSeen) {
        ET_ASSIGN(notes, takeNotesOfOthers(*database, *replaced, options));
    }
    database.reset();
    ET_TRY(file.finish());
    return notes;
}

Result<std::unique_ptr<Database>> sessionDatabase(const Session& session, const SaveOptions& options) {
    ET_ASSIGN(auto database, Database::inMemory(sessionSchema()));
    ET_TRY(fill(*database, session, options, false));
    return database;
}

}  // namespace et::inspector::store

#include "inspector/store/session_store.h"

#include "inspector/format/checksum.h"
#include "inspector/store/database/each_row.h"
#include "inspector/store/note_rows.h"
#include "inspector/store/session/file_parts.h"
#include "inspector/store/session/session_rows.h"
#include "inspector/store/session/session_tables.h"
#include "runtime/core/file_replacement.h"
#include "runtime/native/package.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>

namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

/// "ETss" in the file header.
constexpr std::int32_t applicationId = 0x45547373;

std::string creation(const SessionTable& table) {
    std::string sql = fmt::format("CREATE TABLE {} (", table.name);
    for (const SessionColumn& column : table.columns) {
        if (column.since > table.since) {
            continue;  // added by a later migration step
        }
        const std::string_view separator = &column == table.columns.data() ? "" : ",";
        sql += fmt::format("{}\n  {} {}", separator, column.name, columnTypeName(column.type));
    }
    if (table.key.empty()) {
        return sql + "\n) STRICT;\n";
    }
    // A single-column key is the row id (or a short text); with a multi-column key, rows are stored in key
    // order.
    const bool several = table.key.find(',') != std::string_view::npos;
    return sql +
           fmt::format(",\n  PRIMARY KEY ({})\n) STRICT{};\n", table.key, several ? ", WITHOUT ROWID" : "");
}

/// SQL for the tables and columns added in a version.
std::string stepTo(int version) {
    std::string sql;
    for (const SessionTable& table : sessionTables()) {
        if (table.since == version) {
            sql += creation(table);
        }
        for (const SessionColumn& column : table.columns) {
            if (column.since == version && column.since > table.since) {
                sql += fmt::format("ALTER TABLE {} ADD COLUMN {} {};\n", table.name, column.name,
                                   columnTypeName(column.type));
            }
        }
    }
    return sql;
}

/// Whether a name has one line and cannot leave the folder it is placed in.
bool isPlainName(std::string_view name) {
    constexpr std::size_t longest = 255;
    const bool plain = std::ranges::none_of(name, [](char letter) {
        return letter == '/' || letter == '\\' || static_cast<unsigned char>(letter) < ' ';
    });
    return plain && !name.empty() && name.size() <= longest && name != "." && name != "..";
}

using Counts = Result<std::shared_ptr<const InstructionCounts>>;
/// Adds the counters; damaged ones are reported but do not prevent opening.
void takeCounts(Session& session, JoinOptions& options, Counts counts) {
    if (!counts) {
        session.problems.push_back(counts.error().toString());
    } else if (!options.referenceQuirks) {
        options.counts = *std::move(counts);
    }
}

}  // namespace

const Schema& sessionSchema() {
    static const std::array<std::string, 8> steps{stepTo(1), stepTo(2), stepTo(3), stepTo(4),
                                                  stepTo(5), stepTo(6), stepTo(7), stepTo(8)};
    static const std::array<std::string_view, 8> migrations{steps[0], steps[1], steps[2], steps[3],
                                                            steps[4], steps[5], steps[6], steps[7]};
    static const Schema schema{.kind = "session", .applicationId = applicationId, .migrations = migrations};
    return schema;
}

bool isDatabase(const RecognizedFile& file) {
    std::error_code unknown;
    return file.kind == core::FileKind::Database && fs::is_regular_file(file.path, unknown);
}

bool isDatabase(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_regular_file(path, unknown)) {
        return false;  // reading a pipe would consume its contents
    }
    const auto file = RecognizedFile::open(path);
    return file && file->kind == core::FileKind::Database;
}

Result<SessionStore> SessionStore::open(const fs::path& path) {
    ET_ASSIGN(std::shared_ptr<Database> database, Database::openReading(path, sessionSchema()));
    SessionStore store(std::move(database));
    ET_TRY(store.readFiles());
    ET_TRY(store.checkSizes());
    ET_TRY(store.readJoinOptions());
    return store;
}

Result<> SessionStore::readFiles() {
    return eachTableRow(*opened, "SELECT file, kind, trace, name, bytes, sha256 FROM files ORDER BY file",
                        "files", [&](const Statement& row) -> Result<> {
                            StoredFile file{.number = row.integer(0),
                                            .kind = std::string(row.text(1)),
                                            .name = std::string(row.text(3)),
                                            .bytes = static_cast<std::uint64_t>(row.integer(4)),
                                            .sha256 = std::string(row.text(5))};
                            if (!row.isNull(2)) {
                                file.trace = static_cast<std::size_t>(row.integer(2));
                            }
                            ET_TRY(checkFile(file));
                            stored.push_back(std::move(file));
                            return {};
                        });
}

/// Checks a file against those already registered.
Result<> SessionStore::checkFile(const StoredFile& file) const {
    const auto* const kind = std::ranges::find(fileKinds, file.kind, &FileKindInfo::name);
    const bool known = kind != fileKinds.end() && kind->ofEachTrace == file.trace.has_value() &&
                       file.trace.value_or(0) <= Session::maxOthers;
    const bool again = std::ranges::any_of(stored, [&](const StoredFile& other) {
        return other.kind == file.kind && other.trace == file.trace;
    });
    if (!known || again) {
        return damaged(
            *opened, "files.kind",
            fmt::format("expected one file of each kind, got another \"{}\"", core::printable(file.kind)));
    }
    if (!isPlainName(file.name) || std::ranges::contains(stored, file.name, &StoredFile::name)) {
        return damaged(
            *opened, "files.name",
            fmt::format("expected a unique name without folders, got \"{}\"", core::printable(file.name)));
    }
    return {};
}

/// Limits the total size by that of the session file.
Result<> SessionStore::checkSizes() const {
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(opened->file(), unknown);
    std::uint64_t left = std::min<std::uint64_t>(unknown ? 0 : size * maxExpansion, maxBytes);
    for (const StoredFile& file : stored) {
        if (file.bytes > left) {
            return fail(ErrorCode::Limit,
                        fmt::format("\"{}\" declares {} bytes, but a session of this size can hold only {}",
                                    file.name, file.bytes, left),
                        {.file = opened->file(), .field = "files.bytes", .offset = {}});
        }
        left -= file.bytes;
    }
    return {};
}

Result<> SessionStore::readJoinOptions() {
    return eachTableRow(
        *opened, "SELECT key, value FROM session", "session", [&](const Statement& row) -> Result<> {
            const std::string_view key = row.text(0);
            const std::string_view value = row.text(1);
            if (key == "source_time_unit" || key == "time_unit") {
                const auto scale = timeScaleFromName(value);
                if (!scale) {
                    return damaged(*opened, fmt::format("session.{}", key),
                                   fmt::format("unknown unit \"{}\"", core::printable(value)));
                }
                (key == "time_unit" ? join.target : join.clock.unit) = *scale;
            } else if (key == "delegate_time_units") {
                auto scales = parseDelegateTimeScales(value);
                if (!scales) {
                    return damaged(*opened, fmt::format("session.{}", key), scales.error().message);
                }
                join.clock.delegates = *std::move(scales);
            } else if (key == "method") {
                join.method = value;
            } else if (key == "reference_quirks") {
                join.referenceQuirks = value == "1";
            } else if (key == "every_repeat") {
                join.everyRepeat = value == "1";
            }
            return {};
        });
}

Result<std::vector<Note>> SessionStore::notes() const {
    return readNotes(*opened);
}

Result<std::vector<LayoutEntry>> SessionStore::layout() const {
    std::vector<LayoutEntry> entries;
    ET_TRY(eachTableRow(*opened, "SELECT key, value FROM layout ORDER BY key", "layout",
                        [&](const Statement& row) -> Result<> {
                            const core::Bytes value = row.blob(1);
                            entries.push_back(
                                {.key = std::string(row.text(0)), .value = {value.begin(), value.end()}});
                            return {};
                        }));
    return entries;
}

Result<std::shared_ptr<const core::MappedFile>> SessionStore::content(const StoredFile& file) const {
    std::vector<std::byte> bytes;
    bytes.reserve(file.bytes);
    ET_TRY(read(file, [&](core::Bytes part) -> Result<> {
        bytes.insert(bytes.end(), part.begin(), part.end());
        return {};
    }));
    return core::MappedFile::fromMemory(std::move(bytes), file.name);
}

Result<> SessionStore::read(const StoredFile& file,
                            const std::function<Result<>(core::Bytes part)>& take) const {
    format::Sha256 sum;
    ET_TRY(readFileParts(*opened, file.number, file.bytes, [&](core::Bytes part) {
        sum.add(part);
        return take(part);
    }));
    const std::string found = sum.hex();
    return found == file.sha256 ? Result<>()
                                : damaged(*opened, "files.sha256",
                                          fmt::format("\"{}\" is damaged: expected checksum {}, got {}",
                                                      file.name, core::printable(file.sha256), found));
}

Result<std::shared_ptr<const Session>> SessionStore::session(JoinOptions options) const {
    auto session = std::make_shared<Session>();
    for (const StoredFile& file : stored) {
        if (file.trace.value_or(0) > 0) {
            continue;
        }
        ET_ASSIGN(auto bytes, content(file));
        const FileKindInfo& kind = *std::ranges::find(fileKinds, file.kind, &FileKindInfo::name);
        if (kind.path == nullptr) {
            takeCounts(*session, options, InstructionCounts::parse(std::move(bytes)));
            continue;
        }
        session->files.*kind.path = file.name;
        if (kind.path == &SessionFiles::trace) {
            ET_ASSIGN(session->trace, etdump::Trace::parse(std::move(bytes)));
        } else if (kind.path == &SessionFiles::record) {
            ET_ASSIGN(session->record, etrecord::Record::parse(std::move(bytes)));
        } else if (kind.path == &SessionFiles::debugBuffer) {
            session->debugBuffer = std::move(bytes);
        } else if (kind.path == &SessionFiles::bundle) {
            ET_ASSIGN(session->bundle, bundled_program::Bundle::parse(std::move(bytes)));
        } else if (kind.path == &SessionFiles::package) {
            ET_ASSIGN(session->package, native::Package::parse(std::move(bytes)));
        } else if (kind.path == &SessionFiles::program) {
            ET_ASSIGN(session->program, program::Program::parse(std::move(bytes)));
        }
    }
    if (session->program == nullptr && session->bundle != nullptr) {
        auto embedded = program::Program::parse(session->bundle->file, session->bundle->program);
        if (embedded) {
            session->program = *std::move(embedded);
        } else {
            session->problems.push_back(embedded.error().toString());
        }
    }
    if (session->trace != nullptr) {
        ET_ASSIGN(session->blocks, EventBlocks::build(session->trace, session->record, session->debugBuffer,
                                                      options, session->program.get()));
    }
    return std::shared_ptr<const Session>(std::move(session));
}

Result<SessionFiles> SessionStore::extract(const fs::path& folder, Existing existing) const {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) {
        return fail(ErrorCode::Io, fmt::format("cannot create the folder: {}", failed.message()),
                    {.file = folder.string(), .field = {}, .offset = {}});
    }
    for (const StoredFile& file : stored) {
        const fs::path path = folder / file.name;
        if (existing == Existing::Keep && fs::exists(fs::symlink_status(path, failed))) {
            return fail(ErrorCode::InvalidArgument, "refusing to replace a file (use --force)",
                        {.file = path.string(), .field = {}, .offset = {}});
        }
    }
    SessionFiles files;
    for (const StoredFile& file : stored) {
        const fs::path path = folder / file.name;
        ET_ASSIGN(core::FileReplacement out,
                  core::FileReplacement::open(path, core::FileReplacement::Links::Replace));
        ET_TRY(read(file, [&](core::Bytes part) { return out.write(part); }));
        ET_TRY(out.finish());
        const FileKindInfo& kind = *std::ranges::find(fileKinds, file.kind, &FileKindInfo::name);
        if (kind.path == nullptr) {
            continue;
        }
        const std::size_t trace = file.trace.value_or(0);
        if (trace > files.others.size()) {
            files.others.resize(trace);
        }
        (trace == 0 ? files.*kind.path : files.others[trace - 1].*kind.ofTrace) = path;
    }
    std::erase_if(files.others, [](const TraceFiles& other) { return other.trace.empty(); });
    return files;
}

Result<> addNote(const fs::path& session, const Note& note) {
    constexpr int maxAttempts = 100;
    for (int attempt = 0;; ++attempt) {
        ET_ASSIGN(const auto database,
                  Database::open(session, sessionSchema(), {.mode = OpenMode::Existing}));
        auto transaction = database->begin();
        if (!transaction && database->wasReplaced() && attempt < maxAttempts) {
            continue;  // the session was replaced; retry on the new file
        }
        if (!transaction) {
            return std::unexpected(transaction.error());
        }
        ET_TRY(addNotes(*database, {&note, 1}));
        return transaction->commit();
    }
}

}  // namespace et::inspector::store

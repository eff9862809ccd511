#pragma once

#include "bundled_program/verify.h"
#include "inspector/numeric_gap/gap_report.h"
#include "inspector/session/session.h"
#include "inspector/store/database/database.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::store {

/// The schema of a session file, generated from sessionTables().
[[nodiscard]] const Schema& sessionSchema();

/// A user's note on an operator or the session.
struct Note {
    std::string text;
    std::string method{};  ///< empty: the note is on the session
    std::optional<core::InstructionId> instruction{};
    /// Name (Event::name) of the operator inside the delegate that the instruction calls; empty: the
    /// instruction itself.
    std::string delegated{};
    std::optional<core::DebugHandle> debugHandle{};
    std::string created{};  ///< UTC, "2026-11-21T04:05:06Z"; empty: now

    bool operator==(const Note&) const = default;
};

/// A setting of the studio's window.
struct LayoutEntry {
    std::string key;
    std::vector<std::byte> value;

    bool operator==(const LayoutEntry&) const = default;
};

/// Files that a saved session may overwrite.
enum class Replace : std::uint8_t {
    Anything,
    NoNotes,  ///< anything except sessions with notes and databases of other programs
};

/// Additional contents of a session file.
struct SaveOptions {
    std::span<const executor::Backend* const> backends{};  ///< backends that can describe delegates
    const GapReport* gap = nullptr;                        ///< null: unknown
    /// Results of cases of the session's bundle; ignored in a session without one.
    std::span<const bundled_program::CaseReport> verdicts{};
    std::vector<Note> notes{};
    /// Notes of the replaced file when it was last read or written; changes made by others since then are
    /// kept. Unset: its notes are overwritten.
    std::optional<std::vector<Note>> lastSeen{};
    std::vector<LayoutEntry> layout{};
    std::string writer{};                       ///< name and version of the program
    const std::atomic<bool>* cancel = nullptr;  ///< saving ends as Cancelled once set
    Replace replace = Replace::Anything;
};

/// Writes a session to one SQLite file (docs/reference/sessions.md): its complete files, and their contents
/// as tables (docs/reference/sql.md). Atomic: an existing file remains until the new one is complete. Returns
/// the notes in the file. Errors: Io, Cancelled, Limit (an excessive file or list), InvalidArgument (a file
/// that must not be replaced), those of reading the session's files.
[[nodiscard]] core::Result<std::vector<Note>> saveSession(const std::filesystem::path& path,
                                                          const Session& session, const SaveOptions& options);

/// Builds the tables of a session in memory for queries, without the files. Errors: as saveSession().
[[nodiscard]] core::Result<std::unique_ptr<Database>> sessionDatabase(const Session& session,
                                                                      const SaveOptions& options);

/// A file in a session.
struct StoredFile {
    std::int64_t number = 0;
    std::string kind;  ///< "trace", "record", "debug_buffer", "counters", "program", "bundle", "package",
                       ///< "tensor_data"
    std::optional<std::size_t> trace{};  ///< the trace it belongs to; 0 is the main one
    std::string name;                    ///< without folders
    std::uint64_t bytes = 0;
    std::string sha256;
};

/// True if the file is an SQLite database, ours or another, and not a pipe, which SQLite cannot read.
[[nodiscard]] bool isDatabase(const RecognizedFile& file);
/// As above, for a path; false if the file cannot be read.
[[nodiscard]] bool isDatabase(const std::filesystem::path& path);

/// A session file opened for reading. Its contents are untrusted.
class SessionStore {
  public:
    /// Maximum total size of a session's files in bytes.
    static constexpr std::uint64_t maxBytes = std::uint64_t{8} << 30;

    /// Errors: NotFound, Format (not a session, damaged, file names that leave the folder), Unsupported (a
    /// newer version), Limit (more bytes than its size can contain).
    [[nodiscard]] static core::Result<SessionStore> open(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<StoredFile>& files() const { return stored; }
    /// Options with which the session was joined.
    [[nodiscard]] const JoinOptions& joinOptions() const { return join; }
    [[nodiscard]] core::Result<std::vector<Note>> notes() const;
    /// Results of the cases run before the session was saved, in order. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::vector<bundled_program::CaseReport>> verdicts() const;
    [[nodiscard]] core::Result<std::vector<LayoutEntry>> layout() const;

    /// The contents of a file; its checksum is verified.
    [[nodiscard]] core::Result<std::shared_ptr<const core::MappedFile>> content(const StoredFile& file) const;
    /// Passes the contents of a file to `take`, part by part. The checksum is verified after the last one.
    [[nodiscard]] core::Result<> read(const StoredFile& file,
                                      const std::function<core::Result<>(core::Bytes part)>& take) const;
    /// Opens the session's files from memory, without further traces. Errors: as Session::open().
    [[nodiscard]] core::Result<std::shared_ptr<const Session>> session(JoinOptions options) const;
    /// Writes the files into a folder, which is created if missing, each atomically, for Session::open().
    /// Links are replaced, not followed. Errors: Io, InvalidArgument (a file exists, with Existing::Keep:
    /// then nothing is written).
    [[nodiscard]] core::Result<SessionFiles> extract(const std::filesystem::path& folder,
                                                     Existing existing) const;

    /// For queries: call allowReadingOnly() before running SQL from a user.
    [[nodiscard]] const std::shared_ptr<Database>& database() const { return opened; }

  private:
    explicit SessionStore(std::shared_ptr<Database> from) : opened(std::move(from)) {}
    [[nodiscard]] core::Result<> readFiles();
    [[nodiscard]] core::Result<> checkFile(const StoredFile& file) const;
    [[nodiscard]] core::Result<> checkSizes() const;
    [[nodiscard]] core::Result<> readJoinOptions();

    std::shared_ptr<Database> opened;
    std::vector<StoredFile> stored;
    JoinOptions join;
};

/// Adds a note to a session file. Errors: as SessionStore::open().
[[nodiscard]] core::Result<> addNote(const std::filesystem::path& session, const Note& note);

}  // namespace et::inspector::store

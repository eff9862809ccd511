#pragma once

#include "bundled_program/verify.h"
#include "inspector/numeric_gap/gap_report.h"
#include "inspector/session/session.h"
#include "inspector/store/database.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::store {

/// What somebody wrote to an operator, or to the session.
struct Note {
    std::string text;
    std::string method{};  ///< empty: to the session
    std::optional<core::InstructionId> instruction{};
    /// Name (Event::name) of what runs inside of the delegate that the instruction calls; empty: the
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

/// What a session may take the place of.
enum class Replace : std::uint8_t {
    Anything,
    NoNotes,  ///< no session that has notes, and no database of another program
};

/// What goes into a session file besides the session.
struct SaveOptions {
    std::span<const executor::Backend* const> backends{};  ///< who may tell what is inside of delegates
    const GapReport* gap = nullptr;                        ///< null: not known
    /// What became of cases of the session's bundle that ran; in a session without one they are left out.
    std::span<const bundled_program::CaseReport> verdicts{};
    std::vector<Note> notes{};
    /// The notes that the file to be replaced had when it was last read or written: what others did to them
    /// since then is kept. Unset: its notes are replaced with it.
    std::optional<std::vector<Note>> lastSeen{};
    std::vector<LayoutEntry> layout{};
    std::string writer{};                       ///< program and version
    const std::atomic<bool>* cancel = nullptr;  ///< once it is set, saving ends as Cancelled
    Replace replace = Replace::Anything;
};

/// Writes a session to one SQLite file (docs/sessions.md): its files whole, and all that they say as tables
/// (docs/sql.md). Whole or not at all: what was there stays until the new file is complete. Returns the notes
/// that are in it. Errors: Io, Cancelled, Limit (a file or list beyond all measure), InvalidArgument (what
/// may not be replaced), those of reading the session's files.
[[nodiscard]] core::Result<std::vector<Note>> saveSession(const std::filesystem::path& path,
                                                          const Session& session, const SaveOptions& options);

/// The tables of a session in memory, for queries; without the files themselves. Errors: as saveSession().
[[nodiscard]] core::Result<std::unique_ptr<Database>> sessionDatabase(const Session& session,
                                                                      const SaveOptions& options);

/// A file in a session.
struct StoredFile {
    std::int64_t number = 0;
    std::string kind;  ///< "trace", "record", "debug_buffer", "counters", "program", "bundle", "tensor_data"
    std::optional<std::size_t> trace{};  ///< of a trace and what is beside it: 0 is the main one
    std::string name;                    ///< without folders
    std::uint64_t bytes = 0;
    std::string sha256;
};

/// Whether bytes are an SQLite database, be it one of ours or not.
[[nodiscard]] bool isDatabase(core::Bytes bytes);
/// The same of a file; false where it cannot be read.
[[nodiscard]] bool isDatabase(const std::filesystem::path& path);

/// A session file, opened to read. Nothing that it says is trusted.
class SessionStore {
  public:
    /// Most bytes of all files in a session.
    static constexpr std::uint64_t maxBytes = std::uint64_t{8} << 30;

    /// Errors: NotFound, Format (no session, damaged, names that lead out of a folder), Unsupported (a newer
    /// version), Limit (more bytes than its size can hold).
    [[nodiscard]] static core::Result<SessionStore> open(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<StoredFile>& files() const { return stored; }
    /// How the session was joined.
    [[nodiscard]] const JoinOptions& joinOptions() const { return join; }
    [[nodiscard]] core::Result<std::vector<Note>> notes() const;
    /// The cases that had run when the session was saved, in order. Errors: Format, Limit.
    [[nodiscard]] core::Result<std::vector<bundled_program::CaseReport>> verdicts() const;
    [[nodiscard]] core::Result<std::vector<LayoutEntry>> layout() const;

    /// The content of a file, checked against its checksum.
    [[nodiscard]] core::Result<std::shared_ptr<const core::MappedFile>> content(const StoredFile& file) const;
    /// Opens its files from memory, without the traces beside the main one. Errors: as Session::open().
    [[nodiscard]] core::Result<std::shared_ptr<const Session>> session(JoinOptions options) const;
    /// Writes the files into a folder, which is made, each whole or not at all; to be opened by
    /// Session::open(). A link there is replaced, not followed. Errors: Io, InvalidArgument (a file that is
    /// there, with Existing::Keep: then nothing is written).
    [[nodiscard]] core::Result<SessionFiles> extract(const std::filesystem::path& folder,
                                                     Existing existing) const;

    /// For queries: allow reading only before running what a person wrote.
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

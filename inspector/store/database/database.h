#pragma once

#include "inspector/store/database/connection.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;  // NOLINT: the library's own name of its opaque type

// C++ interface to SQLite (sqlite.org). Errors name the file and SQLite's message: Io (a system error, disk
// full, another process locks the file for too long), Format (not a database, a damaged one, or other
// tables), Unsupported (created by a newer version), Limit (a value exceeds the maximum size).
namespace et::inspector::store {

/// The tables of a kind of file, and their migrations from older versions.
struct Schema {
    std::string_view kind;       ///< for errors: "baseline store"
    std::int32_t applicationId;  ///< in the file header; differs from those of other programs
    /// SQL that migrates version i to version i + 1, the first from an empty file. Published steps are never
    /// changed.
    std::span<const std::string_view> migrations;
    /// Whether to use a WAL journal, for files that several processes write. False for files that users copy,
    /// which must be a single file.
    bool writeAhead = false;

    [[nodiscard]] std::int32_t version() const { return static_cast<std::int32_t>(migrations.size()); }
};

/// An open database file, with foreign keys checked. The file is untrusted: its schema must match that of its
/// version.
class Database final : public Connection {
  public:
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> open(const std::filesystem::path& path,
                                                                      const Schema& schema,
                                                                      const OpenOptions& options = {});
    /// An empty database without a file.
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> inMemory();
    /// An in-memory database with the current tables.
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> inMemory(const Schema& schema);
    /// Creates the current tables in an empty file that no other process uses yet, without a journal for
    /// speed. Errors: Format (the file is not empty), those of open().
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> create(const std::filesystem::path& path,
                                                                        const Schema& schema);
    /// Opens a file for reading; an older version is migrated in an in-memory copy. An unfinished change of a
    /// killed process is rolled back. Errors: NotFound, those of open().
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> openReading(
        const std::filesystem::path& path, const Schema& schema);
    /// Locks a file that is about to be replaced until the result is destroyed. Unfinished changes of other
    /// processes are rolled back, so that a journal of the old file is not applied to the new one. Null if
    /// there is no readable database. Errors: Io (others hold the lock for too long).
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> holdForReplacement(
        const std::filesystem::path& path);
    ~Database() override;

    [[nodiscard]] core::Result<Statement> prepare(std::string_view sql) override;
    [[nodiscard]] core::Result<Statement> adder(std::string_view table,
                                                std::span<const std::string_view> columns) override;
    /// Prepares the first statement of `sql` and removes it from `sql`; nothing if only blanks and comments
    /// are left. Errors: those of the statement, at its offset in `whole`, of which `sql` is a suffix.
    [[nodiscard]] core::Result<std::optional<Statement>> prepareNext(std::string_view& sql,
                                                                     std::string_view whole);
    [[nodiscard]] core::Result<> run(std::string_view sql) override;
    /// Errors: those of SQLite; Io if the file was replaced meanwhile (see wasReplaced()).
    [[nodiscard]] core::Result<Transaction> begin() override;
    [[nodiscard]] core::Result<Transaction> beginReading() override;
    [[nodiscard]] core::Result<std::optional<std::int64_t>> timedNumber(std::string_view moment) override;
    [[nodiscard]] std::int64_t firstTimedNumber(std::string_view moment) const override;
    /// Whether the path now refers to another file; writes to this one are lost.
    [[nodiscard]] bool wasReplaced() const;

    /// Rejects all statements other than reads from here on; the error names the rejected action.
    void allowReadingOnly();
    /// Sets a callback polled by long-running statements on their own thread; if it returns true, they end as
    /// Cancelled. Empty: no polling.
    void cancelWhen(std::function<bool()> wanted);

  private:
    struct Closer {
        void operator()(sqlite3* handle) const;
    };
    Database(sqlite3* opened, std::string path);
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> connect(const std::string& path, int flags);
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> connectReading(
        const std::filesystem::path& path, const Schema& schema);
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> connectAside(
        const std::filesystem::path& path);
    [[nodiscard]] core::Result<> configure();
    [[nodiscard]] core::Result<> enterWal(std::chrono::milliseconds patience);

    [[nodiscard]] std::unexpected<core::Error> statementFailure(std::string_view sql,
                                                                std::string_view whole) const;
    /// A copy of `other` with the name `path`.
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> copyInMemory(
        Database& other, const std::filesystem::path& path);

    std::function<bool()> cancelled;
    std::string refusal;  ///< the disallowed action of the last statement
    std::unique_ptr<sqlite3, Closer> handle;
};

}  // namespace et::inspector::store

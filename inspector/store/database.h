#pragma once

#include "inspector/store/connection.h"
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

// SQLite (sqlite.org) as values and results. Errors name the file and the message of the library: Io (the
// system refuses, the disk is full, another process holds the file for too long), Format (no database, a
// damaged one, one of other tables), Unsupported (made by a newer version), Limit (a value larger than a file
// may make us hold).
namespace et::inspector::store {

/// The tables of a kind of file: how they are made, and how those of older versions become today's.
struct Schema {
    std::string_view kind;       ///< for errors: "baseline store"
    std::int32_t applicationId;  ///< in the file's header: other programs' files have another
    /// SQL that makes version i + 1 of version i, the first of an empty file. Steps are never changed once
    /// they were published.
    std::span<const std::string_view> migrations;
    /// Journal in WAL mode, for files that several processes write; a file that people copy has to be one.
    bool writeAhead = false;

    [[nodiscard]] std::int32_t version() const { return static_cast<std::int32_t>(migrations.size()); }
};

/// An open file. Journal in WAL mode, foreign keys checked, and nothing that a file says of itself is
/// trusted: its tables have to be those of its version.
class Database final : public Connection {
  public:
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> open(const std::filesystem::path& path,
                                                                      const Schema& schema,
                                                                      const OpenOptions& options = {});
    /// An empty one without a file.
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> inMemory();
    /// The tables of today in memory.
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> inMemory(const Schema& schema);
    /// The tables of today in an empty file that nothing else knows yet: without a journal, and so fast to
    /// fill. Errors: Format (the file is not empty), those of open().
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> create(const std::filesystem::path& path,
                                                                        const Schema& schema);
    /// To read only: of an older version, a copy in memory that has today's tables. A change that a killed
    /// process left half done is rolled back. Errors: NotFound, those of open().
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> openReading(
        const std::filesystem::path& path, const Schema& schema);
    /// Keeps all others from a file that is about to be replaced, until the result goes away: what they had
    /// begun is rolled back, so that no journal of the old file is taken for one of the new. Null: there is
    /// no database to hold, or none that can be read. Errors: Io (others hold it for too long).
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> holdForReplacement(
        const std::filesystem::path& path);
    ~Database() override;

    [[nodiscard]] core::Result<Statement> prepare(std::string_view sql) override;
    [[nodiscard]] core::Result<Statement> adder(std::string_view table,
                                                std::span<const std::string_view> columns) override;
    /// The first statement of `sql`, which is left with what follows it; nothing where only blanks and
    /// comments are left. Errors: those of the statement, at its offset in `whole`, of which `sql` is the
    /// end.
    [[nodiscard]] core::Result<std::optional<Statement>> prepareNext(std::string_view& sql,
                                                                     std::string_view whole);
    [[nodiscard]] core::Result<> run(std::string_view sql) override;
    /// Errors: those of the library; Io where the file was replaced meanwhile (see wasReplaced()).
    [[nodiscard]] core::Result<Transaction> begin() override;
    [[nodiscard]] core::Result<Transaction> beginReading() override;
    [[nodiscard]] core::Result<std::optional<std::int64_t>> timedNumber(std::string_view moment) override;
    [[nodiscard]] std::int64_t firstTimedNumber(std::string_view moment) const override;
    /// Whether another file has the name of this one by now: what is written here is lost.
    [[nodiscard]] bool wasReplaced() const;

    /// From here on, statements that do anything but read are refused, with what they wanted to do.
    void allowReadingOnly();
    /// Statements that run for long ask, from the thread that runs them, whether to end as Cancelled. Empty:
    /// do not ask.
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
    /// A copy of `other` that calls itself `path`.
    [[nodiscard]] static core::Result<std::unique_ptr<Database>> copyInMemory(
        Database& other, const std::filesystem::path& path);

    std::function<bool()> cancelled;
    std::string refusal;  ///< what the last statement wanted to do that is not allowed
    std::unique_ptr<sqlite3, Closer> handle;
};

}  // namespace et::inspector::store

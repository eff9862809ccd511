#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// NOLINTBEGIN: the library's own names of its opaque types
struct sqlite3;
struct sqlite3_stmt;
// NOLINTEND

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

/// What becomes of something of the same name: it is kept, which is an error, or replaced.
enum class Existing : std::uint8_t { Keep, Replace };

enum class OpenMode : std::uint8_t {
    Create,    ///< read and write; made where it is not there
    Existing,  ///< read and write; NotFound where it is not there
    Reading,   ///< read only, also where nothing can be written; NotFound where it is not there
};

struct OpenOptions {
    OpenMode mode = OpenMode::Create;
    std::chrono::milliseconds busyTimeout{10'000};  ///< how long to wait for other processes
};

/// What a column of a row holds.
enum class ColumnKind : std::uint8_t { Null, Integer, Real, Text, Blob };

/// A prepared statement. Parameters and columns count from 0. Must not outlive its database.
class Statement {
  public:
    /// Gives values to the parameters in order; texts and bytes are copied. nullopt is NULL.
    template <class... Values>
    [[nodiscard]] core::Result<> bind(const Values&... values) {
        reset();
        core::Result<> result;
        int index = 0;
        ((result = result ? bindOne(index++, values) : std::move(result)), ...);
        return result;
    }

    /// Goes to the next row; false behind the last.
    [[nodiscard]] core::Result<bool> step();
    /// Runs a statement that has no rows, or whose rows do not matter, and makes it ready to run again.
    [[nodiscard]] core::Result<> run();
    template <class... Values>
    [[nodiscard]] core::Result<> run(const Values&... values) {
        if (auto bound = bind(values...); !bound) {
            return bound;
        }
        return run();
    }
    void reset();

    // Columns of the row that step() went to. Views are valid until the next step. A value of another type is
    // what SQLite converts it to: check what comes from a file.
    [[nodiscard]] int columnCount() const;  ///< 0: a statement without rows
    [[nodiscard]] std::string_view columnName(int column) const;
    [[nodiscard]] ColumnKind kind(int column) const;
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] core::Bytes blob(int column) const;
    [[nodiscard]] std::optional<double> optionalReal(int column) const;

  private:
    friend class Database;
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const;
    };
    Statement(sqlite3* owner, sqlite3_stmt* prepared, const std::string& fileName)
        : database(owner), handle(prepared), file(&fileName) {}

    [[nodiscard]] core::Result<> bindInteger(int index, std::int64_t value);
    [[nodiscard]] core::Result<> bindReal(int index, double value);
    [[nodiscard]] core::Result<> bindText(int index, std::string_view value);
    [[nodiscard]] core::Result<> bindBlob(int index, core::Bytes value);
    [[nodiscard]] core::Result<> bindNull(int index);

    template <class T>
    [[nodiscard]] core::Result<> bindOne(int index, const T& value) {
        if constexpr (std::same_as<T, std::nullopt_t>) {
            return bindNull(index);
        } else if constexpr (requires { value.has_value(); }) {
            return value.has_value() ? bindOne(index, *value) : bindNull(index);
        } else if constexpr (std::integral<T>) {
            return bindInteger(index, static_cast<std::int64_t>(value));
        } else if constexpr (std::floating_point<T>) {
            return bindReal(index, value);
        } else if constexpr (std::convertible_to<const T&, std::string_view>) {
            return bindText(index, value);
        } else {
            return bindBlob(index, value);
        }
    }

    sqlite3* database = nullptr;
    std::unique_ptr<sqlite3_stmt, Finalizer> handle;
    const std::string* file = nullptr;
};

class Database;

/// Changes that come all or not at all: what is not committed goes away with it, also when the process dies.
class Transaction {
  public:
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    [[nodiscard]] core::Result<> commit();

  private:
    friend class Database;
    explicit Transaction(Database& owner) : database(&owner) {}
    Database* database;  ///< null: committed or moved away
};

/// An open file. Journal in WAL mode, foreign keys checked, and nothing that a file says of itself is
/// trusted: its tables have to be those of its version. One thread at a time; other processes may use the
/// file.
class Database {
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
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] const std::string& file() const { return name; }

    [[nodiscard]] core::Result<Statement> prepare(std::string_view sql);
    /// The first statement of `sql`, which is left with what follows it; nothing where only blanks and
    /// comments are left. Errors: those of the statement, at its offset in `whole`, of which `sql` is the
    /// end.
    [[nodiscard]] core::Result<std::optional<Statement>> prepareNext(std::string_view& sql,
                                                                     std::string_view whole);
    /// Statements without parameters and rows, one after the other.
    [[nodiscard]] core::Result<> run(std::string_view sql);
    /// The integer that a query of one row and column gives; 0 without a row.
    [[nodiscard]] core::Result<std::int64_t> number(std::string_view sql);
    /// Waits until no other process writes, and keeps them from it. Transactions do not nest. Errors: those
    /// of the library; Io where the file was replaced meanwhile (see wasReplaced()).
    [[nodiscard]] core::Result<Transaction> begin();
    /// Whether another file has the name of this one by now: what is written here is lost.
    [[nodiscard]] bool wasReplaced() const;
    /// Row id of the last INSERT.
    [[nodiscard]] std::int64_t lastRow() const;
    /// Rows that the last statement inserted, changed or removed.
    [[nodiscard]] std::int64_t changes() const;

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

    std::string name;
    std::function<bool()> cancelled;
    std::string refusal;  ///< what the last statement wanted to do that is not allowed
    std::unique_ptr<sqlite3, Closer> handle;
};

}  // namespace et::inspector::store

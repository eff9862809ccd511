#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Database interface of our stores, implemented by an SQLite file (database.h) and a PostgreSQL server
// (postgres/postgres.h). Both use the same SQL; features of only one of them are behind functions of this
// interface.
namespace et::inspector::store {

/// Handling of an existing entry of the same name: keep it, which is an error, or replace it.
enum class Existing : std::uint8_t { Keep, Replace };

enum class OpenMode : std::uint8_t {
    Create,    ///< read and write; created if missing
    Existing,  ///< read and write; NotFound if missing
    Reading,   ///< read only, even on read-only media; NotFound if missing
};

struct OpenOptions {
    OpenMode mode = OpenMode::Create;
    std::chrono::milliseconds busyTimeout{10'000};  ///< maximum time to wait for other processes
};

/// Type of a column's value.
enum class ColumnKind : std::uint8_t { Null, Integer, Real, Text, Blob };

/// Database-specific implementation of a Statement. Parameters and columns count from 0.
class StatementDriver {
  public:
    StatementDriver() = default;
    virtual ~StatementDriver() = default;
    StatementDriver(const StatementDriver&) = delete;
    StatementDriver& operator=(const StatementDriver&) = delete;

    [[nodiscard]] virtual core::Result<bool> step() = 0;
    virtual void reset() = 0;
    /// See Connection::adder().
    [[nodiscard]] virtual core::Result<> finish() { return {}; }

    [[nodiscard]] virtual core::Result<> bindInteger(int index, std::int64_t value) = 0;
    [[nodiscard]] virtual core::Result<> bindReal(int index, double value) = 0;
    [[nodiscard]] virtual core::Result<> bindText(int index, std::string_view value) = 0;
    [[nodiscard]] virtual core::Result<> bindBlob(int index, core::Bytes value) = 0;
    [[nodiscard]] virtual core::Result<> bindNull(int index) = 0;

    [[nodiscard]] virtual int columnCount() const = 0;
    [[nodiscard]] virtual std::string_view columnName(int column) const = 0;
    [[nodiscard]] virtual ColumnKind kind(int column) const = 0;
    [[nodiscard]] virtual std::int64_t integer(int column) const = 0;
    [[nodiscard]] virtual double real(int column) const = 0;
    [[nodiscard]] virtual std::string_view text(int column) const = 0;
    [[nodiscard]] virtual core::Bytes blob(int column) const = 0;
};

/// A prepared statement. Parameters and columns count from 0. Must not outlive its connection.
class Statement {
  public:
    explicit Statement(std::unique_ptr<StatementDriver> made) : driver(std::move(made)) {}

    /// Binds the parameters in order; texts and bytes are copied. nullopt is NULL.
    template <class... Values>
    [[nodiscard]] core::Result<> bind(const Values&... values) {
        reset();
        core::Result<> result;
        int index = 0;
        ((result = result ? bindOne(index++, values) : std::move(result)), ...);
        return result;
    }

    /// Advances to the next row; false after the last.
    [[nodiscard]] core::Result<bool> step() { return driver->step(); }
    /// Runs a statement whose rows, if any, are ignored, and resets it for the next run.
    [[nodiscard]] core::Result<> run();
    template <class... Values>
    [[nodiscard]] core::Result<> run(const Values&... values) {
        if (auto bound = bind(values...); !bound) {
            return bound;
        }
        return run();
    }
    /// Runs an INSERT of one row with a RETURNING clause and returns its integer.
    template <class... Values>
    [[nodiscard]] core::Result<std::int64_t> returned(const Values&... values) {
        if (auto bound = bind(values...); !bound) {
            return std::unexpected(std::move(bound).error());
        }
        return returnedNumber();
    }
    void reset() { driver->reset(); }
    /// For an adder: ensures that all added rows are in the database.
    [[nodiscard]] core::Result<> finish() { return driver->finish(); }

    // Columns of the current row. Views are valid until the next step. For a value of another type, SQLite
    // returns a conversion and a server returns nothing (0, empty): check data from other sources.
    [[nodiscard]] int columnCount() const { return driver->columnCount(); }  ///< 0: a statement without rows
    [[nodiscard]] std::string_view columnName(int column) const { return driver->columnName(column); }
    [[nodiscard]] ColumnKind kind(int column) const { return driver->kind(column); }
    [[nodiscard]] bool isNull(int column) const { return kind(column) == ColumnKind::Null; }
    [[nodiscard]] std::int64_t integer(int column) const { return driver->integer(column); }
    [[nodiscard]] double real(int column) const { return driver->real(column); }
    [[nodiscard]] std::string_view text(int column) const { return driver->text(column); }
    [[nodiscard]] core::Bytes blob(int column) const { return driver->blob(column); }
    [[nodiscard]] std::optional<double> optionalReal(int column) const;

  private:
    [[nodiscard]] core::Result<std::int64_t> returnedNumber();

    template <class T>
    [[nodiscard]] core::Result<> bindOne(int index, const T& value) {
        if constexpr (std::same_as<T, std::nullopt_t>) {
            return driver->bindNull(index);
        } else if constexpr (requires { value.has_value(); }) {
            return value.has_value() ? bindOne(index, *value) : driver->bindNull(index);
        } else if constexpr (std::integral<T>) {
            return driver->bindInteger(index, static_cast<std::int64_t>(value));
        } else if constexpr (std::floating_point<T>) {
            return driver->bindReal(index, value);
        } else if constexpr (std::convertible_to<const T&, std::string_view>) {
            return driver->bindText(index, value);
        } else {
            return driver->bindBlob(index, value);
        }
    }

    std::unique_ptr<StatementDriver> driver;
};

class Connection;

/// An atomic group of changes. Uncommitted changes are rolled back on destruction, or if the process dies.
class Transaction {
  public:
    explicit Transaction(Connection& owner) : connection(&owner) {}
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    [[nodiscard]] core::Result<> commit();

  private:
    Connection* connection;  ///< null: committed or moved from
};

/// An open database. One thread at a time; other processes may use the same database.
class Connection {
  public:
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Name for error messages: the path of a file, or the address of a server without secrets.
    [[nodiscard]] const std::string& file() const { return name; }

    /// Parameters are written as '?'.
    [[nodiscard]] virtual core::Result<Statement> prepare(std::string_view sql) = 0;
    /// Returns a statement that adds one row to a table per run, with a value for each column. Rows may be
    /// buffered until finish(). Much faster than INSERT for many rows in a remote database.
    [[nodiscard]] virtual core::Result<Statement> adder(std::string_view table,
                                                        std::span<const std::string_view> columns) = 0;
    /// Runs a sequence of statements without parameters and rows.
    [[nodiscard]] virtual core::Result<> run(std::string_view sql) = 0;
    /// Runs a query of one row and column and returns its integer; 0 without a row.
    [[nodiscard]] core::Result<std::int64_t> number(std::string_view sql);

    /// Begins a write transaction. Transactions do not nest. On an SQLite file, waits until no other process
    /// writes.
    [[nodiscard]] virtual core::Result<Transaction> begin() = 0;
    /// Begins a read transaction: all reads until its end see the same snapshot.
    [[nodiscard]] virtual core::Result<Transaction> beginReading() = 0;
    /// Whether the last failure was caused by a concurrent change of another process, so that repeating the
    /// whole transaction may succeed.
    [[nodiscard]] virtual bool metConflict() const { return false; }

    /// Number of the next row of `measured_method` for a measurement at a moment (UTC, see utcText()). Tables
    /// that grow without bound are partitioned by time using this number. Nothing if the database assigns
    /// numbers itself.
    [[nodiscard]] virtual core::Result<std::optional<std::int64_t>> timedNumber(std::string_view moment) = 0;
    /// Smallest number of rows of that moment or later. Empty: the smallest of all.
    [[nodiscard]] virtual std::int64_t firstTimedNumber(std::string_view moment) const = 0;

  protected:
    explicit Connection(std::string called) : name(std::move(called)) {}

    std::string name;
};

}  // namespace et::inspector::store

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

// What our stores ask of a database, whichever it is: an SQLite file (database.h) or a PostgreSQL server
// (postgres/postgres.h). The SQL is the same for both; what only one of them can do is behind a function
// here.
namespace et::inspector::store {

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

/// How a kind of database does what a Statement offers. Parameters and columns count from 0.
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
    [[nodiscard]] core::Result<bool> step() { return driver->step(); }
    /// Runs a statement that has no rows, or whose rows do not matter, and makes it ready to run again.
    [[nodiscard]] core::Result<> run();
    template <class... Values>
    [[nodiscard]] core::Result<> run(const Values&... values) {
        if (auto bound = bind(values...); !bound) {
            return bound;
        }
        return run();
    }
    /// Runs an INSERT of one row that is RETURNING an integer, which comes back.
    template <class... Values>
    [[nodiscard]] core::Result<std::int64_t> returned(const Values&... values) {
        if (auto bound = bind(values...); !bound) {
            return std::unexpected(std::move(bound).error());
        }
        return returnedNumber();
    }
    void reset() { driver->reset(); }
    /// What was run is in the database, of an adder.
    [[nodiscard]] core::Result<> finish() { return driver->finish(); }

    // Columns of the row that step() went to. Views are valid until the next step. A value of another type is
    // what SQLite converts it to, and nothing (0, empty) from a server: check what comes from elsewhere.
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

/// Changes that come all or not at all: what is not committed goes away with it, also when the process dies.
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
    Connection* connection;  ///< null: committed or moved away
};

/// An open database. One thread at a time; other processes may use the same database.
class Connection {
  public:
    virtual ~Connection() = default;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// What errors call it: the path of a file, the address of a server without any secret.
    [[nodiscard]] const std::string& file() const { return name; }

    /// Parameters are written as '?'.
    [[nodiscard]] virtual core::Result<Statement> prepare(std::string_view sql) = 0;
    /// Adds rows to a table, one each time it runs with a value for each column; finish() ends it, and before
    /// that none of them need be there. Far faster than INSERT where there are many and the database is far.
    [[nodiscard]] virtual core::Result<Statement> adder(std::string_view table,
                                                        std::span<const std::string_view> columns) = 0;
    /// Statements without parameters and rows, one after the other.
    [[nodiscard]] virtual core::Result<> run(std::string_view sql) = 0;
    /// The integer that a query of one row and column gives; 0 without a row.
    [[nodiscard]] core::Result<std::int64_t> number(std::string_view sql);

    /// To write. Transactions do not nest. Of an SQLite file, waits until no other process writes.
    [[nodiscard]] virtual core::Result<Transaction> begin() = 0;
    /// To read: all that is read until it goes away is of one moment.
    [[nodiscard]] virtual core::Result<Transaction> beginReading() = 0;
    /// Whether what failed last failed because of what another process did at the same time, and may well
    /// succeed when all of the transaction is done again.
    [[nodiscard]] virtual bool metConflict() const { return false; }

    /// Tables that grow without end are kept in parts by time, told apart by the number of a row: the number
    /// of the next row of `measured_method` for what was measured at a moment (UTC, see utcText()). Nothing:
    /// the database numbers by itself.
    [[nodiscard]] virtual core::Result<std::optional<std::int64_t>> timedNumber(std::string_view moment) = 0;
    /// Rows of that moment and later ones have this number or a larger one. Empty: the smallest of all.
    [[nodiscard]] virtual std::int64_t firstTimedNumber(std::string_view moment) const = 0;

  protected:
    explicit Connection(std::string called) : name(std::move(called)) {}

    std::string name;
};

}  // namespace et::inspector::store

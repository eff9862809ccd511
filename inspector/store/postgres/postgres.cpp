#include "inspector/store/postgres/postgres.h"

#include "inspector/store/postgres/link.h"
#include "inspector/store/postgres/postgres_schema.h"
#include "inspector/store/postgres/statement.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

class PostgresConnection final : public Connection {
  public:
    explicit PostgresConnection(std::unique_ptr<PostgresLink> opened)
        : Connection(opened->name()), link(std::move(opened)) {}

    [[nodiscard]] Result<Statement> prepare(std::string_view sql) override;
    [[nodiscard]] Result<Statement> adder(std::string_view table,
                                          std::span<const std::string_view> columns) override {
        return postgresAdder(*link, table, columns);
    }
    [[nodiscard]] Result<> run(std::string_view sql) override { return link->command(sql); }
    [[nodiscard]] Result<Transaction> begin() override {
        ET_TRY(run("BEGIN"));
        return Transaction(*this);
    }
    [[nodiscard]] Result<Transaction> beginReading() override {
        ET_TRY(run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
        return Transaction(*this);
    }
    [[nodiscard]] bool metConflict() const override { return link->metConflict(); }
    [[nodiscard]] Result<std::optional<std::int64_t>> timedNumber(std::string_view moment) override {
        ET_ASSIGN(Statement next, prepare("SELECT measured_number(?)"));
        ET_ASSIGN(const std::int64_t number, next.returned(moment));
        return std::optional(number);
    }
    [[nodiscard]] std::int64_t firstTimedNumber(std::string_view moment) const override {
        return firstNumberOfMonth(moment);
    }

  private:
    std::unique_ptr<PostgresLink> link;
    std::map<std::string, std::string, std::less<>> known;  ///< names of prepared statements, by SQL
};

/// The server keeps each statement as long as the connection; there are a few dozen.
Result<Statement> PostgresConnection::prepare(std::string_view sql) {
    auto found = known.find(sql);
    if (found == known.end()) {
        ET_TRY(link->release());
        const std::string statement = fmt::format("s{}", known.size());
        const PostgresResult result(link->of().prepare(link->handle(), statement.c_str(),
                                                       withNumberedParameters(sql).c_str(), 0, nullptr),
                                    {&link->of()});
        if (link->of().resultStatus(result.get()) != PGRES_COMMAND_OK) {
            auto failed = link->failure(result.get());
            link->skipRest();
            return failed;
        }
        found = known.emplace(sql, statement).first;
    }
    return postgresStatement(*link, found->second);
}

/// Runs a query of one row and returns its integer.
Result<std::int64_t> answer(Connection& connection, std::string_view sql) {
    ET_ASSIGN(Statement statement, connection.prepare(sql));
    ET_ASSIGN(const bool found, statement.step());
    return found && statement.kind(0) == ColumnKind::Integer
               ? Result<std::int64_t>(statement.integer(0))
               : fail(ErrorCode::Format, "database: unexpected response", {.file = connection.file()});
}

/// Returns 0 if there are no tables.
Result<std::int64_t> versionOf(Connection& connection) {
    ET_ASSIGN(const std::int64_t made,
              answer(connection,
                     "SELECT count(*) FROM pg_class WHERE relname = 'store_version' AND relnamespace = "
                     "(SELECT oid FROM pg_namespace WHERE nspname = 'et_inspect')"));
    if (made == 0) {
        return 0;
    }
    ET_ASSIGN(const std::int64_t version, answer(connection, "SELECT version FROM et_inspect.store_version"));
    if (version > postgresVersion()) {
        return fail(
            ErrorCode::Unsupported,
            fmt::format(
                "created by a newer version: expected a baseline store of version {} or older, got {}",
                postgresVersion(), version),
            {.file = connection.file()});
    }
    return version < 1
               ? fail(ErrorCode::Format,
                      fmt::format("expected a baseline store, got one with invalid version {}", version),
                      {.file = connection.file()})
               : Result<std::int64_t>(version);
}

Result<> migrate(Connection& connection) {
    ET_ASSIGN(Transaction transaction, connection.begin());
    ET_TRY(connection.run(fmt::format("DO 'BEGIN PERFORM pg_advisory_xact_lock({}); END'", postgresLock)));
    ET_ASSIGN(const std::int64_t before, versionOf(connection));  // another process may have been faster
    for (const PostgresStep& step : postgresSteps()) {
        if (step.version > before) {
            ET_TRY(connection.run(step.sql));
        }
    }
    ET_ASSIGN(Statement write, connection.prepare("UPDATE et_inspect.store_version SET version = ?"));
    ET_TRY(write.run(postgresVersion()));
    return transaction.commit();
}

}  // namespace

Result<std::unique_ptr<Connection>> openPostgres(const std::string& address, const OpenOptions& options) {
    ET_ASSIGN(std::unique_ptr<PostgresLink> link, PostgresLink::connect(address));
    auto connection = std::make_unique<PostgresConnection>(std::move(link));
    ET_TRY(connection->run(fmt::format("SET lock_timeout = {}", options.busyTimeout.count())));
    ET_ASSIGN(const std::int64_t version, versionOf(*connection));
    if (version == 0 && options.mode != OpenMode::Create) {
        return fail(ErrorCode::NotFound, "the baseline store does not exist", {.file = connection->file()});
    }
    if (version < postgresVersion()) {
        if (options.mode == OpenMode::Reading) {
            return fail(ErrorCode::Unsupported,
                        fmt::format("expected a baseline store of version {}, got {}: to upgrade it, run a "
                                    "writing command as its owner",
                                    postgresVersion(), version),
                        {.file = connection->file()});
        }
        ET_TRY(migrate(*connection));
    }
    // Prevents other objects visible to this role from shadowing ours.
    ET_TRY(connection->run("SET search_path = et_inspect, pg_temp"));
    if (options.mode == OpenMode::Reading) {
        ET_TRY(connection->run("SET default_transaction_read_only = on"));
    }
    return connection;
}

}  // namespace et::inspector::store

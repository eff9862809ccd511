#include "inspector/store/migration.h"

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Tables, indices and other objects of a database, with their SQL. Limited for databases with far more
/// objects than ours.
using Objects = std::vector<std::tuple<std::string, std::string, std::string>>;
Result<Objects> objectsOf(Database& database) {
    constexpr std::size_t max = 1000;
    ET_ASSIGN(
        Statement statement,
        database.prepare("SELECT type, name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name"));
    Objects objects;
    while (objects.size() < max) {
        ET_ASSIGN(const bool found, statement.step());
        if (!found) {
            break;
        }
        objects.emplace_back(statement.text(0), statement.text(1), statement.text(2));
    }
    return objects;
}

std::unexpected<core::Error> foreign(const Database& database, const Schema& schema,
                                     const std::string& what) {
    return fail(ErrorCode::Format, fmt::format("expected a {}, got {}", schema.kind, what),
                {.file = database.file(), .field = {}, .offset = {}});
}

Result<> makeTables(Database& database, const Schema& schema, std::int64_t from) {
    for (auto step = static_cast<std::size_t>(from); step < schema.migrations.size(); ++step) {
        ET_TRY(database.run(schema.migrations[step]));
    }
    // Both numbers are part of the transaction.
    ET_TRY(database.run(fmt::format("PRAGMA application_id = {}", schema.applicationId)));
    return database.run(fmt::format("PRAGMA user_version = {}", schema.version()));
}

/// The objects of the current schema.
Result<Objects> expectedObjects(const Schema& schema) {
    ET_ASSIGN(const auto empty, Database::inMemory());
    ET_TRY(makeTables(*empty, schema, 0));
    return objectsOf(*empty);
}

/// The version of one of our databases; 0 for an empty one.
Result<std::int64_t> versionOf(Database& database, const Schema& schema) {
    ET_ASSIGN(const std::int64_t application, database.number("PRAGMA application_id"));
    ET_ASSIGN(const std::int64_t version, database.number("PRAGMA user_version"));
    ET_ASSIGN(const Objects objects, objectsOf(database));
    if (application == 0 && version == 0 && objects.empty()) {
        return 0;
    }
    if (application != schema.applicationId) {
        return foreign(database, schema, "a database of another program");
    }
    if (version > schema.version()) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("created by a newer version: expected a {} of version {} or older, got {}",
                                schema.kind, schema.version(), version),
                    {.file = database.file(), .field = {}, .offset = {}});
    }
    return version < 1 ? foreign(database, schema, fmt::format("one with invalid version {}", version))
                       : Result<std::int64_t>(version);
}

/// As versionOf(), in its own transaction, so that its reads are consistent while another process creates the
/// tables.
Result<std::int64_t> versionAtOnce(Database& database, const Schema& schema) {
    ET_TRY(database.run("BEGIN"));
    auto version = versionOf(database, schema);
    ET_TRY(database.run("COMMIT"));
    return version;
}

}  // namespace

Result<> checkIdentity(Database& database, const Schema& schema) {
    ET_TRY(versionAtOnce(database, schema));
    return {};
}

Result<> checkTables(Database& database, const Schema& schema) {
    ET_ASSIGN(const Objects objects, objectsOf(database));
    ET_ASSIGN(const Objects expected, expectedObjects(schema));
    return objects == expected ? Result<>()
                               : foreign(database, schema, "tables that do not match its version");
}

Result<> migrate(Database& database, const Schema& schema) {
    ET_ASSIGN(const std::int64_t before, versionAtOnce(database, schema));
    if (before < schema.version()) {
        ET_ASSIGN(Transaction transaction, database.begin());
        ET_ASSIGN(const std::int64_t version, versionOf(database, schema));  // another process may have been
                                                                             // faster
        ET_TRY(makeTables(database, schema, version));
        ET_TRY(transaction.commit());
    }
    return checkTables(database, schema);
}

}  // namespace et::inspector::store

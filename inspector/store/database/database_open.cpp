#include "inspector/store/database/database.h"
#include "inspector/store/database/database_failure.h"
#include "inspector/store/database/database_file.h"
#include "runtime/core/file_replacement.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

// Opening, creating and replacing databases; database.cpp has the operations on an open one.
namespace et::inspector::store {
namespace {

using Objects = std::vector<std::tuple<std::string, std::string, std::string>>;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Tables, indices and other objects of a database, with their SQL. Limited for databases with far more
/// objects than ours.
Result<Objects> listObjects(Database& database) {
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
    return listObjects(*empty);
}

/// The version of one of our databases; 0 for an empty one.
Result<std::int64_t> versionOf(Database& database, const Schema& schema) {
    ET_ASSIGN(const std::int64_t application, database.number("PRAGMA application_id"));
    ET_ASSIGN(const std::int64_t version, database.number("PRAGMA user_version"));
    ET_ASSIGN(const Objects objects, listObjects(database));
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

/// Read only. Errors: Format (another program's file), Unsupported (a newer version), those of the database.
Result<> checkIdentity(Database& database, const Schema& schema) {
    ET_TRY(versionAtOnce(database, schema));
    return {};
}

/// Read only. Errors: Format (tables that differ from the current schema).
Result<> checkTables(Database& database, const Schema& schema) {
    ET_ASSIGN(const Objects objects, listObjects(database));
    ET_ASSIGN(const Objects expected, expectedObjects(schema));
    return objects == expected ? Result<>()
                               : foreign(database, schema, "tables that do not match its version");
}

/// Migrates the tables to the current version in one transaction; creates them in an empty database. Errors:
/// as checkIdentity(); Format (tables that differ from the schema of its version).
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

namespace fs = std::filesystem;

/// Maximum size in bytes of a text or blob.
constexpr int maxValueBytes = 64 << 20;

constexpr std::string_view versionQuery = "PRAGMA user_version";

/// SQLite's codes if it cannot write a file, even one needed only for reading.
constexpr std::array unwritable{SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_FULL, SQLITE_IOERR};

std::string escapedForUri(std::string_view path) {
    std::string escaped;
    for (const char letter : path) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '/' ||
                             letter == '.' || letter == '_' || letter == '-';
        escaped +=
            isPlain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
    return escaped;
}

/// Creates a file with the current tables under an unused name. The file gets its name only when complete, so
/// other processes never see an empty one.
Result<> makeFile(const fs::path& path, const Schema& schema) {
    ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(path));
    if (file.writtenTo().empty()) {
        return {};  // another file has taken the name
    }
    ET_TRY(Database::create(file.writtenTo(), schema));
    return file.finishUnlessTaken();
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const fs::path& path, const Schema& schema,
                                                 const OpenOptions& options) {
    std::error_code unknown;
    const bool isMissing = fs::status(path, unknown).type() == fs::file_type::not_found;
    if (options.mode == OpenMode::Create && isMissing) {
        ET_TRY(makeFile(path, schema));
    }
    ET_TRY(checkFile(path, schema));
    ET_TRY(checkJournal(path));
    ET_ASSIGN(std::unique_ptr<Database> database, connect(path.string(), SQLITE_OPEN_READWRITE));
    sqlite3_busy_timeout(database->handle.get(), static_cast<int>(options.busyTimeout.count()));
    ET_TRY(checkIdentity(*database, schema));  // before writing to a file that may belong to another program
    if (schema.writeAhead) {
        ET_TRY(database->enterWal(options.busyTimeout));
    }
    ET_TRY(database->run("PRAGMA synchronous = FULL"));
    ET_TRY(migrate(*database, schema));
    return database;
}

Result<std::unique_ptr<Database>> Database::inMemory() {
    return connect(":memory:", SQLITE_OPEN_READWRITE);
}

Result<std::unique_ptr<Database>> Database::inMemory(const Schema& schema) {
    ET_ASSIGN(std::unique_ptr<Database> database, inMemory());
    ET_TRY(migrate(*database, schema));
    return database;
}

Result<std::unique_ptr<Database>> Database::create(const fs::path& path, const Schema& schema) {
    ET_ASSIGN(std::unique_ptr<Database> database,
              connect(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    ET_ASSIGN(const std::int64_t objects, database->number("SELECT count(*) FROM sqlite_schema"));
    if (objects != 0) {
        return fail(ErrorCode::Format, "expected an empty file",
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_TRY(database->run("PRAGMA page_size = 8192; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"));
    ET_TRY(migrate(*database, schema));
    return database;
}

Result<std::unique_ptr<Database>> Database::openReading(const fs::path& path, const Schema& schema) {
    ET_TRY(checkFile(path, schema));
    ET_ASSIGN(std::unique_ptr<Database> database, connectReading(path, schema));
    ET_TRY(checkIdentity(*database, schema));
    ET_ASSIGN(const std::int64_t version, database->number(versionQuery));
    if (version == schema.version()) {
        ET_TRY(checkTables(*database, schema));
        return database;
    }
    ET_ASSIGN(std::unique_ptr<Database> copy, copyInMemory(*database, path));
    ET_TRY(migrate(*copy, schema));
    return copy;
}

/// Rolling back the journal of a killed process requires write access, as does removing a write-ahead log.
Result<std::unique_ptr<Database>> Database::connectReading(const fs::path& path, const Schema& schema) {
    ET_TRY(checkJournal(path));
    const bool writes = schema.writeAhead || hasJournal(path);
    const int access = writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    ET_ASSIGN(std::unique_ptr<Database> database, connect(path.string(), access));
    sqlite3_busy_timeout(database->handle.get(), static_cast<int>(OpenOptions().busyTimeout.count()));
    const auto read = database->number(versionQuery);
    if (read) {
        ET_TRY(database->run("PRAGMA query_only = ON"));
        return database;
    }
    const bool isUnwritable =
        std::ranges::contains(unwritable, sqlite3_errcode(database->handle.get()) & 0xFF);
    return isUnwritable ? connectAside(path) : std::unexpected(read.error());
}

/// Opens a file for reading where nothing can be written (a read-only mount, a full disk), not even the files
/// that SQLite needs for reading.
Result<std::unique_ptr<Database>> Database::connectAside(const fs::path& path) {
    if (!hasJournal(path) && !hasLog(path)) {
        ET_ASSIGN(auto database, connect("file:" + escapedForUri(path.string()) + "?immutable=1",
                                         SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
        database->name = path.string();
        return database;
    }
    ET_ASSIGN(const CopiedDatabase copied, CopiedDatabase::make(path));
    ET_ASSIGN(auto file, connect(copied.path().string(), SQLITE_OPEN_READWRITE));
    return copyInMemory(*file, path);
}

Result<std::unique_ptr<Database>> Database::holdForReplacement(const fs::path& path) {
    constexpr int maxAttempts = 100;
    for (int attempt = 0; attempt < maxAttempts; ++attempt) {
        std::error_code unknown;
        if (!fs::is_regular_file(path, unknown) || fs::file_size(path, unknown) == 0 || !checkJournal(path)) {
            break;
        }
        auto database = connect(path.string(), SQLITE_OPEN_READWRITE);
        if (!database) {
            break;
        }
        sqlite3* const opened = (*database)->handle.get();
        sqlite3_busy_timeout(opened, static_cast<int>(OpenOptions().busyTimeout.count()));
        const auto held = (*database)->run("BEGIN EXCLUSIVE");
        if (!held && (sqlite3_errcode(opened) & 0xFF) == SQLITE_BUSY) {
            return std::unexpected(held.error());
        }
        if (!held) {
            break;  // not a database, or a damaged one
        }
        if (!(*database)->wasReplaced()) {
            return database;
        }
    }
    return nullptr;
}

Result<std::unique_ptr<Database>> Database::copyInMemory(Database& other, const fs::path& path) {
    ET_ASSIGN(std::unique_ptr<Database> copy, inMemory());
    copy->name = path.string();
    sqlite3* const to = copy->handle.get();
    sqlite3_backup* const backup = sqlite3_backup_init(to, "main", other.handle.get(), "main");
    if (backup == nullptr) {
        return failure(to, copy->name);
    }
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK) {
        return failure(to, copy->name);
    }
    return copy;
}

Result<std::unique_ptr<Database>> Database::connect(const std::string& path, int flags) {
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(path.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    std::unique_ptr<Database> database(new Database(opened, path));
    if (opened == nullptr) {
        return fail(ErrorCode::Limit, "not enough memory for a database",
                    {.file = path, .field = {}, .offset = {}});
    }
    if (code != SQLITE_OK) {
        return failure(opened, path);
    }
    ET_TRY(database->configure());
    return database;
}

Result<> Database::configure() {
    sqlite3* const opened = handle.get();
    // A file may contain triggers, views and inconsistent pages.
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, maxValueBytes);
    sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
    ET_TRY(run("PRAGMA cell_size_check = ON"));
    return run("PRAGMA foreign_keys = ON");
}

/// Two processes opening a new file simultaneously can block each other's change of the journal mode, for
/// which SQLite does not wait.
Result<> Database::enterWal(std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds pause{5};
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
        Result<> entered = run("PRAGMA journal_mode = WAL");
        const bool busy = !entered && (sqlite3_errcode(handle.get()) & 0xFF) == SQLITE_BUSY;
        if (!busy || std::chrono::steady_clock::now() >= end) {
            return entered;
        }
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace et::inspector::store

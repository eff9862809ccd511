#include "inspector/store/database.h"

#include "inspector/store/migration.h"
#include "inspector/store/reading_guard.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Codes of the library that are no failure of the system; all others are.
struct CodeTraits {
    int code;
    ErrorCode meaning;
};
constexpr std::array codes{
    CodeTraits{SQLITE_NOTADB, ErrorCode::Format},       CodeTraits{SQLITE_CORRUPT, ErrorCode::Format},
    CodeTraits{SQLITE_SCHEMA, ErrorCode::Format},       CodeTraits{SQLITE_CONSTRAINT, ErrorCode::Format},
    CodeTraits{SQLITE_MISMATCH, ErrorCode::Format},     CodeTraits{SQLITE_ERROR, ErrorCode::Format},
    CodeTraits{SQLITE_TOOBIG, ErrorCode::Limit},        CodeTraits{SQLITE_NOMEM, ErrorCode::Limit},
    CodeTraits{SQLITE_INTERRUPT, ErrorCode::Cancelled},
};

/// What went wrong last, for people.
std::unexpected<core::Error> failure(sqlite3* database, const std::string& file) {
    const int code = sqlite3_errcode(database);
    const auto* const found = std::ranges::find(codes, code & 0xFF, &CodeTraits::code);
    const ErrorCode meaning = found == codes.end() ? ErrorCode::Io : found->meaning;
    const bool busy = (code & 0xFF) == SQLITE_BUSY;
    return fail(meaning,
                busy ? std::string("another process holds the database for too long: try again")
                     : fmt::format("database: {}", sqlite3_errmsg(database)),
                {.file = file, .field = {}, .offset = {}});
}

/// Most bytes of a text or blob that is read or written.
constexpr int maxValueBytes = 64 << 20;

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Result<bool> Statement::step() {
    switch (sqlite3_step(handle.get())) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            return failure(database, *file);
    }
}

Result<> Statement::run() {
    ET_TRY(step());
    reset();
    return {};
}

void Statement::reset() {
    sqlite3_reset(handle.get());
}

int Statement::columnCount() const {
    return sqlite3_column_count(handle.get());
}

std::string_view Statement::columnName(int column) const {
    const char* found = sqlite3_column_name(handle.get(), column);
    return found == nullptr ? std::string_view() : std::string_view(found);
}

ColumnKind Statement::kind(int column) const {
    switch (sqlite3_column_type(handle.get(), column)) {
        case SQLITE_INTEGER:
            return ColumnKind::Integer;
        case SQLITE_FLOAT:
            return ColumnKind::Real;
        case SQLITE_TEXT:
            return ColumnKind::Text;
        case SQLITE_BLOB:
            return ColumnKind::Blob;
        default:
            return ColumnKind::Null;
    }
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(handle.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(handle.get(), column);
}

std::string_view Statement::text(int column) const {
    const unsigned char* characters = sqlite3_column_text(handle.get(), column);
    const int size = sqlite3_column_bytes(handle.get(), column);
    return characters == nullptr
               ? std::string_view()
               : std::string_view(reinterpret_cast<const char*>(characters), static_cast<std::size_t>(size));
}

core::Bytes Statement::blob(int column) const {
    const void* bytes = sqlite3_column_blob(handle.get(), column);
    const int size = sqlite3_column_bytes(handle.get(), column);
    return {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : static_cast<std::size_t>(size)};
}

std::optional<double> Statement::optionalReal(int column) const {
    return isNull(column) ? std::nullopt : std::optional(real(column));
}

Result<> Statement::bindInteger(int index, std::int64_t value) {
    return sqlite3_bind_int64(handle.get(), index + 1, value) == SQLITE_OK
               ? Result<>()
               : Result<>(failure(database, *file));
}

Result<> Statement::bindReal(int index, double value) {
    return sqlite3_bind_double(handle.get(), index + 1, value) == SQLITE_OK
               ? Result<>()
               : Result<>(failure(database, *file));
}

Result<> Statement::bindText(int index, std::string_view value) {
    // A view without characters may have no address, which would be NULL.
    const char* characters = value.empty() ? "" : value.data();
    return sqlite3_bind_text64(handle.get(), index + 1, characters, value.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8) == SQLITE_OK
               ? Result<>()
               : Result<>(failure(database, *file));
}

Result<> Statement::bindBlob(int index, core::Bytes value) {
    const bool done = value.empty() ? sqlite3_bind_zeroblob(handle.get(), index + 1, 0) == SQLITE_OK
                                    : sqlite3_bind_blob64(handle.get(), index + 1, value.data(), value.size(),
                                                          SQLITE_TRANSIENT) == SQLITE_OK;
    return done ? Result<>() : Result<>(failure(database, *file));
}

Result<> Statement::bindNull(int index) {
    return sqlite3_bind_null(handle.get(), index + 1) == SQLITE_OK ? Result<>()
                                                                   : Result<>(failure(database, *file));
}

Transaction::Transaction(Transaction&& other) noexcept : database(std::exchange(other.database, nullptr)) {
}

Transaction::~Transaction() {
    if (database != nullptr) {
        // Where even this fails, the journal is left as it is and not applied.
        (void)database->run("ROLLBACK");
    }
}

Result<> Transaction::commit() {
    ET_TRY(database->run("COMMIT"));
    database = nullptr;
    return {};
}

void Database::Closer::operator()(sqlite3* opened) const {
    sqlite3_close_v2(opened);
}

Database::Database(sqlite3* opened, std::string path) : name(std::move(path)), handle(opened) {
}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path, const Schema& schema,
                                                 const OpenOptions& options) {
    std::error_code unknown;
    if (options.mode == OpenMode::Existing && !std::filesystem::exists(path, unknown)) {
        return fail(ErrorCode::NotFound, fmt::format("there is no {} yet", schema.kind),
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(std::unique_ptr<Database> database,
              connect(path.string(),
                      SQLITE_OPEN_READWRITE | (options.mode == OpenMode::Create ? SQLITE_OPEN_CREATE : 0)));
    sqlite3_busy_timeout(database->handle.get(), static_cast<int>(options.busyTimeout.count()));
    ET_TRY(checkIdentity(*database, schema));  // before anything is written to what may be another's file
    if (options.writeAhead) {
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

Result<std::unique_ptr<Database>> Database::create(const std::filesystem::path& path, const Schema& schema) {
    ET_ASSIGN(std::unique_ptr<Database> database,
              connect(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    ET_ASSIGN(const std::int64_t objects, database->number("SELECT count(*) FROM sqlite_schema"));
    if (objects != 0) {
        return fail(ErrorCode::Format, "expected an empty file",
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_TRY(database->run("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"));
    ET_TRY(migrate(*database, schema));
    return database;
}

Result<std::unique_ptr<Database>> Database::openReading(const std::filesystem::path& path,
                                                        const Schema& schema) {
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) {
        return fail(ErrorCode::NotFound, fmt::format("there is no such {}", schema.kind),
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(std::unique_ptr<Database> database, connect(path.string(), SQLITE_OPEN_READONLY));
    sqlite3_busy_timeout(database->handle.get(), static_cast<int>(OpenOptions().busyTimeout.count()));
    ET_TRY(checkIdentity(*database, schema));
    ET_ASSIGN(const std::int64_t version, database->number("PRAGMA user_version"));
    if (version == schema.version()) {
        ET_TRY(checkTables(*database, schema));
        return database;
    }
    ET_ASSIGN(std::unique_ptr<Database> copy, connect(":memory:", SQLITE_OPEN_READWRITE));
    copy->name = path.string();
    ET_TRY(copy->becomeCopyOf(*database));
    ET_TRY(migrate(*copy, schema));
    return copy;
}

Result<> Database::becomeCopyOf(Database& other) {
    sqlite3_backup* const backup = sqlite3_backup_init(handle.get(), "main", other.handle.get(), "main");
    if (backup == nullptr) {
        return failure(handle.get(), name);
    }
    sqlite3_backup_step(backup, -1);
    return sqlite3_backup_finish(backup) == SQLITE_OK ? Result<>() : Result<>(failure(handle.get(), name));
}

Result<std::unique_ptr<Database>> Database::connect(const std::string& path, int flags) {
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(path.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    std::unique_ptr<Database> database(new Database(opened, path));
    if (opened == nullptr) {
        return fail(ErrorCode::Limit, "no memory for a database", {.file = path, .field = {}, .offset = {}});
    }
    if (code != SQLITE_OK) {
        return failure(opened, path);
    }
    ET_TRY(database->configure());
    return database;
}

Result<> Database::configure() {
    sqlite3* const opened = handle.get();
    // A file may bring triggers and views of its own, and pages that lie.
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, maxValueBytes);
    sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
    ET_TRY(run("PRAGMA cell_size_check = ON"));
    return run("PRAGMA foreign_keys = ON");
}

/// Two processes that open a new file at once may keep one another from changing its journal, in a way that
/// the library does not wait for.
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

Result<std::int64_t> Database::number(std::string_view sql) {
    ET_ASSIGN(Statement statement, prepare(sql));
    ET_ASSIGN(const bool found, statement.step());
    return found ? statement.integer(0) : 0;
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
        SQLITE_OK) {
        return failure(handle.get(), name);
    }
    return Statement(handle.get(), statement, name);
}

Result<std::optional<Statement>> Database::prepareNext(std::string_view& sql, std::string_view whole) {
    while (!sql.empty()) {
        sqlite3_stmt* statement = nullptr;
        const char* rest = nullptr;
        refusal.clear();
        if (sqlite3_prepare_v2(handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, &rest) !=
            SQLITE_OK) {
            return statementFailure(sql, whole);
        }
        sql.remove_prefix(static_cast<std::size_t>(rest - sql.data()));
        if (statement != nullptr) {
            return std::optional(Statement(handle.get(), statement, name));
        }
    }
    return std::nullopt;
}

std::unexpected<core::Error> Database::statementFailure(std::string_view sql, std::string_view whole) const {
    core::Error error = failure(handle.get(), "query").error();
    error.code = ErrorCode::InvalidArgument;
    error.message = refusal.empty() ? sqlite3_errmsg(handle.get()) : refusal;
    const int at = sqlite3_error_offset(handle.get());
    error.where.offset = whole.size() - sql.size() + (at < 0 ? 0 : static_cast<std::size_t>(at));
    return std::unexpected(std::move(error));
}

void Database::allowReadingOnly() {
    (void)run("PRAGMA query_only = ON");  // twice is safer; the guard alone suffices
    guardReading(handle.get(), refusal);
}

void Database::cancelWhen(std::function<bool()> wanted) {
    cancelled = std::move(wanted);
    constexpr int stepsBetween = 10'000;
    const auto ask = [](void* self) { return static_cast<const Database*>(self)->cancelled() ? 1 : 0; };
    sqlite3_progress_handler(handle.get(), cancelled ? stepsBetween : 0, cancelled ? +ask : nullptr, this);
}

Result<> Database::run(std::string_view sql) {
    const std::string text(sql);
    if (sqlite3_exec(handle.get(), text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        return failure(handle.get(), name);
    }
    return {};
}

Result<Transaction> Database::begin() {
    ET_TRY(run("BEGIN IMMEDIATE"));
    return Transaction(*this);
}

std::int64_t Database::lastRow() const {
    return sqlite3_last_insert_rowid(handle.get());
}

std::int64_t Database::changes() const {
    return sqlite3_changes64(handle.get());
}

}  // namespace et::inspector::store

#include "inspector/store/database.h"

#include "inspector/store/database_failure.h"
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
    Transaction begun(*this);
    if (wasReplaced()) {
        return fail(ErrorCode::Io, "was replaced by another process: try again",
                    {.file = name, .field = {}, .offset = {}});
    }
    return begun;
}

bool Database::wasReplaced() const {
    int moved = 0;
    return sqlite3_file_control(handle.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved != 0;
}

std::int64_t Database::lastRow() const {
    return sqlite3_last_insert_rowid(handle.get());
}

std::int64_t Database::changes() const {
    return sqlite3_changes64(handle.get());
}

}  // namespace et::inspector::store

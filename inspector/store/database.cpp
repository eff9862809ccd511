#include "inspector/store/database.h"

#include "inspector/store/database_failure.h"
#include "inspector/store/reading_guard.h"
#include "inspector/store/sqlite_statement.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

}  // namespace

void Database::Closer::operator()(sqlite3* opened) const {
    sqlite3_close_v2(opened);
}

Database::Database(sqlite3* opened, std::string path) : Connection(std::move(path)), handle(opened) {
}

Database::~Database() = default;

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
        SQLITE_OK) {
        return failure(handle.get(), name);
    }
    return sqliteStatement(handle.get(), statement, name);
}

Result<Statement> Database::adder(std::string_view table, std::span<const std::string_view> columns) {
    std::string names;
    std::string places;
    for (const std::string_view column : columns) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", column);
        places += places.empty() ? "?" : ", ?";
    }
    return prepare(fmt::format("INSERT INTO {} ({}) VALUES ({})", table, names, places));
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
            return std::optional(sqliteStatement(handle.get(), statement, name));
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
    (void)run("PRAGMA query_only = ON");  // additional protection; the guard alone suffices
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

Result<Transaction> Database::beginReading() {
    ET_TRY(run("BEGIN"));
    return Transaction(*this);
}

bool Database::wasReplaced() const {
    int moved = 0;
    return sqlite3_file_control(handle.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved != 0;
}

// SQLite numbers rows itself, and there are no partitions.
Result<std::optional<std::int64_t>> Database::timedNumber(std::string_view) {
    return std::nullopt;
}

std::int64_t Database::firstTimedNumber(std::string_view) const {
    return std::numeric_limits<std::int64_t>::min();
}

}  // namespace et::inspector::store

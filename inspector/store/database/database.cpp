#include "inspector/store/database/database.h"

#include "inspector/store/database/connection.h"
#include "inspector/store/database/database_failure.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace et::inspector::store {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

class SqliteStatement final : public StatementDriver {
  public:
    SqliteStatement(sqlite3* owner, sqlite3_stmt* prepared, const std::string& fileName)
        : database(owner), handle(prepared), file(fileName) {}

    [[nodiscard]] Result<bool> step() override;
    void reset() override;
    [[nodiscard]] Result<> bindInteger(int index, std::int64_t value) override;
    [[nodiscard]] Result<> bindReal(int index, double value) override;
    [[nodiscard]] Result<> bindText(int index, std::string_view value) override;
    [[nodiscard]] Result<> bindBlob(int index, core::Bytes value) override;
    [[nodiscard]] Result<> bindNull(int index) override;
    [[nodiscard]] int columnCount() const override;
    [[nodiscard]] std::string_view columnName(int column) const override;
    [[nodiscard]] ColumnKind kind(int column) const override;
    [[nodiscard]] std::int64_t integer(int column) const override;
    [[nodiscard]] double real(int column) const override;
    [[nodiscard]] std::string_view text(int column) const override;
    [[nodiscard]] core::Bytes blob(int column) const override;

  private:
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    sqlite3* database;
    std::unique_ptr<sqlite3_stmt, Finalizer> handle;
    const std::string& file;
};

Result<bool> SqliteStatement::step() {
    switch (sqlite3_step(handle.get())) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            return failure(database, file);
    }
}

void SqliteStatement::reset() {
    sqlite3_reset(handle.get());
}

int SqliteStatement::columnCount() const {
    return sqlite3_column_count(handle.get());
}

std::string_view SqliteStatement::columnName(int column) const {
    const char* found = sqlite3_column_name(handle.get(), column);
    return found == nullptr ? std::string_view() : std::string_view(found);
}

ColumnKind SqliteStatement::kind(int column) const {
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

std::int64_t SqliteStatement::integer(int column) const {
    return sqlite3_column_int64(handle.get(), column);
}

double SqliteStatement::real(int column) const {
    return sqlite3_column_double(handle.get(), column);
}

std::string_view SqliteStatement::text(int column) const {
    const unsigned char* characters = sqlite3_column_text(handle.get(), column);
    const int size = sqlite3_column_bytes(handle.get(), column);
    return characters == nullptr
               ? std::string_view()
               : std::string_view(reinterpret_cast<const char*>(characters), static_cast<std::size_t>(size));
}

core::Bytes SqliteStatement::blob(int column) const {
    const void* bytes = sqlite3_column_blob(handle.get(), column);
    const int size = sqlite3_column_bytes(handle.get(), column);
    return {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : static_cast<std::size_t>(size)};
}

Result<> SqliteStatement::bindInteger(int index, std::int64_t value) {
    return sqlite3_bind_int64(handle.get(), index + 1, value) == SQLITE_OK
               ? Result<>()
               : Result<>(failure(database, file));
}

Result<> SqliteStatement::bindReal(int index, double value) {
    return sqlite3_bind_double(handle.get(), index + 1, value) == SQLITE_OK
               ? Result<>()
               : Result<>(failure(database, file));
}

Result<> SqliteStatement::bindText(int index, std::string_view value) {
    // An empty view may have a null pointer, which would bind NULL.
    const char* characters = value.empty() ? "" : value.data();
    return sqlite3_bind_text64(handle.get(), index + 1, characters, value.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8) == SQLITE_OK
               ? Result<>()
               : Result<>(failure(database, file));
}

Result<> SqliteStatement::bindBlob(int index, core::Bytes value) {
    const bool done = value.empty() ? sqlite3_bind_zeroblob(handle.get(), index + 1, 0) == SQLITE_OK
                                    : sqlite3_bind_blob64(handle.get(), index + 1, value.data(), value.size(),
                                                          SQLITE_TRANSIENT) == SQLITE_OK;
    return done ? Result<>() : Result<>(failure(database, file));
}

Result<> SqliteStatement::bindNull(int index) {
    return sqlite3_bind_null(handle.get(), index + 1) == SQLITE_OK ? Result<>()
                                                                   : Result<>(failure(database, file));
}

/// Wraps and takes ownership of an SQLite statement. `database` and `file`, the name for errors, must outlive
/// it.
Statement sqliteStatement(sqlite3* database, sqlite3_stmt* prepared, const std::string& file) {
    return Statement(std::make_unique<SqliteStatement>(database, prepared, file));
}

/// An authorizer action code of SQLite.
struct ActionTraits {
    int action;
    bool allowed;
    std::string_view words;  ///< description of a disallowed action
};
constexpr std::array actions{
    ActionTraits{SQLITE_SELECT, true, ""},
    ActionTraits{SQLITE_READ, true, ""},
    ActionTraits{SQLITE_RECURSIVE, true, ""},
    ActionTraits{SQLITE_INSERT, false, "INSERT"},
    ActionTraits{SQLITE_UPDATE, false, "UPDATE"},
    ActionTraits{SQLITE_DELETE, false, "DELETE"},
    ActionTraits{SQLITE_ATTACH, false, "ATTACH"},
    ActionTraits{SQLITE_DETACH, false, "DETACH"},
    ActionTraits{SQLITE_TRANSACTION, false, "a transaction"},
    ActionTraits{SQLITE_SAVEPOINT, false, "a savepoint"},
    ActionTraits{SQLITE_CREATE_TABLE, false, "CREATE TABLE"},
    ActionTraits{SQLITE_CREATE_TEMP_TABLE, false, "CREATE TEMP TABLE"},
    ActionTraits{SQLITE_CREATE_VIEW, false, "CREATE VIEW"},
    ActionTraits{SQLITE_CREATE_TEMP_VIEW, false, "CREATE TEMP VIEW"},
    ActionTraits{SQLITE_CREATE_INDEX, false, "CREATE INDEX"},
    ActionTraits{SQLITE_CREATE_TRIGGER, false, "CREATE TRIGGER"},
    ActionTraits{SQLITE_CREATE_VTABLE, false, "CREATE VIRTUAL TABLE"},
    ActionTraits{SQLITE_DROP_TABLE, false, "DROP TABLE"},
    ActionTraits{SQLITE_ALTER_TABLE, false, "ALTER TABLE"},
    ActionTraits{SQLITE_ANALYZE, false, "ANALYZE"},
    ActionTraits{SQLITE_REINDEX, false, "REINDEX"},
};

constexpr std::array writes{SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE};

/// Pragmas that only report information.
constexpr std::array<std::string_view, 11> pragmas{
    "application_id", "collation_list", "compile_options", "foreign_key_list", "function_list", "index_info",
    "index_list",     "page_count",     "table_info",      "table_list",       "table_xinfo"};
/// Those whose argument selects an object rather than setting a value.
constexpr std::array<std::string_view, 5> describing{"foreign_key_list", "index_info", "index_list",
                                                     "table_info", "table_xinfo"};

/// Functions with access to data outside the database, if SQLite has them.
constexpr std::array<std::string_view, 4> functions{"load_extension", "fts3_tokenizer", "readfile",
                                                    "writefile"};

std::string_view textOf(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

/// Reason to reject the action; empty if it is allowed.
std::string objection(int action, const char* first, const char* second) {
    const std::string_view name = textOf(first);
    if (action == SQLITE_FUNCTION) {
        const bool reachesOut = std::ranges::contains(functions, textOf(second));
        return reachesOut ? fmt::format("the function {}", textOf(second)) : std::string();
    }
    if (action == SQLITE_PRAGMA) {
        const bool allowed = std::ranges::contains(pragmas, name) &&
                             (second == nullptr || std::ranges::contains(describing, name));
        return allowed ? std::string() : fmt::format("PRAGMA {}", name);
    }
    if (name.starts_with("sqlite_") && std::ranges::contains(writes, action)) {
        return {};  // CREATE and DROP are checked by their own actions; SQLite prevents all others
    }
    const auto* const found = std::ranges::find(actions, action, &ActionTraits::action);
    if (found == actions.end()) {
        return "this kind of statement";
    }
    return found->allowed ? std::string() : std::string(found->words);
}

int decide(void* refusal, int action, const char* first, const char* second, const char* /*database*/,
           const char* /*trigger*/) {
    std::string wrong = objection(action, first, second);
    if (wrong.empty()) {
        return SQLITE_OK;
    }
    auto& kept = *static_cast<std::string*>(refusal);
    if (kept.empty()) {
        kept = fmt::format("{} is not allowed: a session is read-only", wrong);
    }
    return SQLITE_DENY;
}

/// Rejects every statement of the connection other than reads; the rejected action is stored in `refusal`,
/// which must outlive the connection.
void guardReading(sqlite3* database, std::string& refusal) {
    sqlite3_set_authorizer(database, decide, &refusal);
}

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

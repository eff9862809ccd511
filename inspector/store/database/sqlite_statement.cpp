#include "inspector/store/database/sqlite_statement.h"

#include "inspector/store/database/database_failure.h"

#include <sqlite3.h>

namespace et::inspector::store {
namespace {

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

}  // namespace

Statement sqliteStatement(sqlite3* database, sqlite3_stmt* prepared, const std::string& file) {
    return Statement(std::make_unique<SqliteStatement>(database, prepared, file));
}

}  // namespace et::inspector::store

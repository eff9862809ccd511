#include "inspector/store/database/connection.h"

namespace et::inspector::store {

using core::Result;

Result<> Statement::run() {
    ET_TRY(step());
    reset();
    return {};
}

Result<std::int64_t> Statement::returnedNumber() {
    ET_ASSIGN(const bool found, step());
    if (!found || kind(0) != ColumnKind::Integer) {
        return core::fail(core::ErrorCode::Format, "database: expected the id of a new row, got none");
    }
    const std::int64_t number = integer(0);
    ET_TRY(run());  // outside a transaction, it is committed after its last row
    return number;
}

std::optional<double> Statement::optionalReal(int column) const {
    return isNull(column) ? std::nullopt : std::optional(real(column));
}

Transaction::Transaction(Transaction&& other) noexcept
    : connection(std::exchange(other.connection, nullptr)) {
}

Transaction::~Transaction() {
    if (connection != nullptr) {
        // If even this fails, nothing was committed.
        (void)connection->run("ROLLBACK");
    }
}

Result<> Transaction::commit() {
    ET_TRY(connection->run("COMMIT"));
    connection = nullptr;
    return {};
}

Result<std::int64_t> Connection::number(std::string_view sql) {
    ET_ASSIGN(Statement statement, prepare(sql));
    ET_ASSIGN(const bool found, statement.step());
    return found ? statement.integer(0) : 0;
}

}  // namespace et::inspector::store

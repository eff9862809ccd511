#include "inspector/store/session/row_writer.h"

#include "inspector/store/session/session_tables.h"

#include <fmt/format.h>

#include <string>

namespace et::inspector::store {

core::Result<Statement*> RowWriter::statementFor(std::string_view table, std::size_t columns) {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) {
        return core::fail(core::ErrorCode::Cancelled, "cancelled");
    }
    if (const auto found = statements.find(table); found != statements.end()) {
        return &found->second;
    }
    const SessionTable* const info = findSessionTable(table);
    if (info == nullptr || info->columns.size() != columns) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          fmt::format("no table {} with {} columns", table, columns));
    }
    std::string sql = fmt::format("INSERT INTO {} VALUES (", table);
    for (std::size_t i = 0; i < columns; ++i) {
        sql += i == 0 ? "?" : ", ?";
    }
    ET_ASSIGN(Statement statement, database.prepare(sql + ")"));
    return &statements.emplace(info->name, std::move(statement)).first->second;
}

}  // namespace et::inspector::store

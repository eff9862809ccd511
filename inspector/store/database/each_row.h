#pragma once

#include "inspector/store/database/connection.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector::store {

/// Maximum number of rows read from a small table, since a foreign file may have any number.
inline constexpr std::size_t maxRows = 10'000;

/// Returns an error about a value that our writers do not store. `field` is "table" or "table.column".
inline std::unexpected<core::Error> damaged(const Connection& database, std::string field,
                                            std::string message,
                                            core::ErrorCode code = core::ErrorCode::Format) {
    return core::fail(code, std::move(message),
                      {.file = database.file(), .field = std::move(field), .offset = {}});
}

/// Calls `take` for each row of a query with these parameters. Errors: those of the database and of `take`.
template <class Take, class... Values>
core::Result<> eachRow(Connection& database, std::string_view sql, Take take, const Values&... values) {
    ET_ASSIGN(Statement rows, database.prepare(sql));
    ET_TRY(rows.bind(values...));
    for (;;) {
        ET_ASSIGN(const bool found, rows.step());
        if (!found) {
            return {};
        }
        ET_TRY(take(rows));
    }
}

/// Calls `take` for each row of a table of a foreign file. Errors: Limit (more than `max`), those of the
/// database and of `take`.
template <class Take>
core::Result<> eachTableRow(Connection& database, std::string_view sql, std::string_view table, Take take,
                            std::size_t max = maxRows) {
    std::size_t count = 0;
    return eachRow(database, sql, [&](const Statement& row) -> core::Result<> {
        if (++count > max) {
            return damaged(database, std::string(table), fmt::format("expected at most {} rows", max),
                           core::ErrorCode::Limit);
        }
        return take(row);
    });
}

}  // namespace et::inspector::store

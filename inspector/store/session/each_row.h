#pragma once

#include "inspector/store/database.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace et::inspector::store {

/// Maximum number of rows read from a small table, since a foreign file may have any number.
inline constexpr std::size_t maxRows = 10'000;

/// Calls `take` for each row of a query. Errors: Limit (more than `max`), those of the database and of
/// `take`.
template <class Take>
core::Result<> eachRow(Database& database, std::string_view sql, std::string_view table, Take take,
                       std::size_t max = maxRows) {
    ET_ASSIGN(Statement rows, database.prepare(sql));
    for (std::size_t i = 0;; ++i) {
        ET_ASSIGN(const bool found, rows.step());
        if (!found) {
            return {};
        }
        if (i == max) {
            return core::fail(core::ErrorCode::Limit, fmt::format("expected at most {} rows", max),
                              {.file = database.file(), .field = std::string(table), .offset = {}});
        }
        ET_TRY(take(rows));
    }
}

}  // namespace et::inspector::store

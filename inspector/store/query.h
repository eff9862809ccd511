#pragma once

#include "inspector/format/table.h"
#include "inspector/store/database/database.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace et::inspector::store {

struct QueryLimits {
    std::size_t maxRows = 1'000'000;              ///< per statement; further rows are dropped
    std::size_t maxBytes = std::size_t{1} << 30;  ///< approximate limit for the cells of one statement
};

/// Result of one statement.
struct QueryResult {
    std::string sql;       ///< the statement
    format::Table table;   ///< ids and headers are the column names; a blob is shown as truncated x'hex'
    bool complete = true;  ///< false if the result was truncated by the limits
};

/// Runs the statements of a text in sequence and passes each result to `take`; statements without columns
/// have none. The database should be read-only. Errors: InvalidArgument (no statement; invalid or disallowed
/// SQL, with its offset in the text), Cancelled, those of the database and of `take`.
[[nodiscard]] core::Result<> runQueries(Database& database, std::string_view sql, const QueryLimits& limits,
                                        const std::function<core::Result<>(QueryResult)>& take);

}  // namespace et::inspector::store

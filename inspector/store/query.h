#pragma once

#include "inspector/format/table.h"
#include "inspector/store/database.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace et::inspector::store {

struct QueryLimits {
    std::size_t maxRows = 1'000'000;              ///< of one statement; what follows is left out
    std::size_t maxBytes = std::size_t{1} << 30;  ///< of cells of one statement, roughly
};

/// What one statement answers.
struct QueryResult {
    std::string sql;      ///< the statement
    report::Table table;  ///< ids and headers are the names of its columns; a blob is x'hex' of its beginning
    bool complete = true;  ///< false: there are more rows than the limits allow
};

/// Runs the statements of a text one after the other and hands over what each answers; those without columns
/// have no answer. The database should allow reading only. Errors: InvalidArgument (no statement at all; SQL
/// that is wrong or not allowed, with its offset in the text), Cancelled, those of the database, of `take`.
[[nodiscard]] core::Result<> runQueries(Database& database, std::string_view sql, const QueryLimits& limits,
                                        const std::function<core::Result<>(QueryResult)>& take);

}  // namespace et::inspector::store

#pragma once

#include "inspector/store/database/connection.h"

#include <string>

// NOLINTBEGIN: the library's own names of its opaque types
struct sqlite3;
struct sqlite3_stmt;
// NOLINTEND

namespace et::inspector::store {

/// Wraps and takes ownership of an SQLite statement. `database` and `file`, the name for errors, must outlive
/// it.
[[nodiscard]] Statement sqliteStatement(sqlite3* database, sqlite3_stmt* prepared, const std::string& file);

}  // namespace et::inspector::store

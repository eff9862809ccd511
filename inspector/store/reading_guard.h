#pragma once

#include <string>

struct sqlite3;  // NOLINT: the library's own name

namespace et::inspector::store {

/// Refuses every statement of the connection that does anything but read tables: what one wanted to do goes
/// to `refusal`, which must live as long as the connection.
void guardReading(sqlite3* database, std::string& refusal);

}  // namespace et::inspector::store

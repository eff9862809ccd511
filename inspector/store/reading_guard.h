#pragma once

#include <string>

struct sqlite3;  // NOLINT: the library's own name

namespace et::inspector::store {

/// Rejects every statement of the connection other than reads; the rejected action is stored in `refusal`,
/// which must outlive the connection.
void guardReading(sqlite3* database, std::string& refusal);

}  // namespace et::inspector::store

#pragma once

#include "inspector/store/database.h"

namespace et::inspector::store {

/// Only reads. Errors: Format (another program's file), Unsupported (a newer version), those of the database.
[[nodiscard]] core::Result<> checkIdentity(Database& database, const Schema& schema);

/// Only reads. Errors: Format (tables that are not those of today).
[[nodiscard]] core::Result<> checkTables(Database& database, const Schema& schema);

/// Brings the tables of a database to the version of today in one transaction; makes them in an empty one.
/// Errors: as checkIdentity(); Format (tables that are not those of its version).
[[nodiscard]] core::Result<> migrate(Database& database, const Schema& schema);

}  // namespace et::inspector::store

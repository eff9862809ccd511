#pragma once

#include "inspector/store/database.h"

namespace et::inspector::store {

/// Read only. Errors: Format (another program's file), Unsupported (a newer version), those of the database.
[[nodiscard]] core::Result<> checkIdentity(Database& database, const Schema& schema);

/// Read only. Errors: Format (tables that differ from the current schema).
[[nodiscard]] core::Result<> checkTables(Database& database, const Schema& schema);

/// Migrates the tables to the current version in one transaction; creates them in an empty database. Errors:
/// as checkIdentity(); Format (tables that differ from the schema of its version).
[[nodiscard]] core::Result<> migrate(Database& database, const Schema& schema);

}  // namespace et::inspector::store

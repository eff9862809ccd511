#pragma once

#include "inspector/store/database/connection.h"

#include <memory>
#include <string>

namespace et::inspector::store {

/// Opens a store in the schema `et_inspect` of a PostgreSQL database, with the same tables as a file
/// (docs/reference/store.md). `address` is a URL as accepted by libpq, including its options for TLS,
/// services and password files. Errors name the server, but never its password: InvalidArgument (not an
/// address), NotFound (no store, and `options` do not create one), Io (no response, or insufficient
/// privileges), Format (an invalid response), Unsupported (a store of a newer version, no libpq), Limit.
[[nodiscard]] core::Result<std::unique_ptr<Connection>> openPostgres(const std::string& address,
                                                                     const OpenOptions& options);

}  // namespace et::inspector::store

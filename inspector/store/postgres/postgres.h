#pragma once

#include "inspector/store/connection.h"

#include <memory>
#include <string>

namespace et::inspector::store {

/// A store in a database of a PostgreSQL server, in the schema `et_inspect`, whose tables are those of the
/// file (docs/store.md). `address` is a URL as libpq takes it, with all that it knows of TLS, services and
/// password files. Errors name the server, but never its password: InvalidArgument (no address), NotFound (no
/// store, and none is to be made), Io (nobody answers, or this role may not), Format (an answer that makes no
/// sense), Unsupported (a store of a newer version, no libpq), Limit.
[[nodiscard]] core::Result<std::unique_ptr<Connection>> openPostgres(const std::string& address,
                                                                     const OpenOptions& options);

}  // namespace et::inspector::store

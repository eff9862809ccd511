#pragma once

#include "runtime/core/result.h"

#include <string>

struct sqlite3;  // NOLINT: the library's own name

namespace et::inspector::store {

/// The last error of a connection as an Error.
[[nodiscard]] std::unexpected<core::Error> failure(sqlite3* database, const std::string& file);

}  // namespace et::inspector::store

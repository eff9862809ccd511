#pragma once

#include "inspector/store/connection.h"

#include <filesystem>
#include <memory>

namespace et::inspector::store {

/// Whether a store is on a server, and `place` its address: "postgresql://...".
[[nodiscard]] bool isServer(const std::filesystem::path& place);

/// Whether a place is one of stores: a server, or a file that says it is one (docs/store.md).
[[nodiscard]] bool isStore(const std::filesystem::path& place);

/// Whether nothing is at a place yet, as far as one sees without asking a server.
[[nodiscard]] bool isMissing(const std::filesystem::path& place);

/// The store in a file or on a server, with the tables of docs/store.md; makes the file and its folder, or
/// the tables, as the mode says. Errors: NotFound, Io, those of Database::open() and openPostgres().
[[nodiscard]] core::Result<std::unique_ptr<Connection>> connectStore(const std::filesystem::path& place,
                                                                     const OpenOptions& options);

}  // namespace et::inspector::store

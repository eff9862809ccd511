#pragma once

#include "inspector/store/database/connection.h"
#include "inspector/store/database/database.h"

#include <filesystem>
#include <memory>

namespace et::inspector::store {

/// The tables of a baseline store, described in docs/reference/store.md.
[[nodiscard]] const Schema& baselineSchema();

/// Whether a store is on a server, with `place` as its address: "postgresql://...".
[[nodiscard]] bool isServer(const std::filesystem::path& place);

/// Whether a place is a store: a server, or a file with a store's header (docs/reference/store.md).
[[nodiscard]] bool isStore(const std::filesystem::path& place);

/// Whether a place does not exist yet, without contacting a server.
[[nodiscard]] bool isMissing(const std::filesystem::path& place);

/// Opens the store in a file or on a server, with the tables of docs/reference/store.md; creates the file and
/// its folder, or the tables, according to the mode. Errors: NotFound, Io, those of Database::open() and
/// openPostgres().
[[nodiscard]] core::Result<std::unique_ptr<Connection>> connectStore(const std::filesystem::path& place,
                                                                     const OpenOptions& options);

}  // namespace et::inspector::store

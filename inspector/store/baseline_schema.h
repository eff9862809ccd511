#pragma once

#include "inspector/store/database.h"

#include <filesystem>
#include <memory>

namespace et::inspector::store {

/// The tables of a baseline store, described in docs/store.md.
[[nodiscard]] const Schema& baselineSchema();

/// Opens such a file; makes it and its folder as the mode says. Errors: Io, those of Database::open().
[[nodiscard]] core::Result<std::unique_ptr<Database>> openBaselineFile(const std::filesystem::path& path,
                                                                       const OpenOptions& options);

}  // namespace et::inspector::store

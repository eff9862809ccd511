#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace et::etrecord::detail {

using Entries = std::vector<std::pair<std::string, std::string>>;  ///< name and content

/// Writes a zip of stored entries; independent of the current date. Errors: Io (libzip's message).
[[nodiscard]] core::Result<std::vector<std::byte>> storeEntries(const Entries& entries);

}  // namespace et::etrecord::detail

#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace et::etrecord::detail {

using Entries = std::vector<std::pair<std::string, std::string>>;  ///< name and content

/// A zip of stored entries: the same bytes on any day. Errors: Io (libzip's own words).
[[nodiscard]] core::Result<std::vector<std::byte>> storeEntries(const Entries& entries);

}  // namespace et::etrecord::detail

#pragma once

#include "runtime/core/file_content.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::archive {

using Entries = std::vector<std::pair<std::string, core::FileContent>>;  ///< name and content

/// A copy of the text.
[[nodiscard]] core::FileContent textContent(std::string_view text);

/// A zip of stored entries, which borrows their contents; independent of the current date. Its bytes are
/// those that libzip writes, which cannot borrow. Format: PKWARE's APPNOTE.TXT 6.3.3, with zip64 where
/// needed. Errors: InvalidArgument (a name of more than 65,535 bytes).
[[nodiscard]] core::Result<core::FileContent> storeEntries(const Entries& entries);

}  // namespace et::archive

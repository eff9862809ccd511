#pragma once

#include "app/studio/session_files.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <vector>

namespace et::studio {

/// Where the files of a session file are put while the studio works on them: a folder of the person's cache,
/// the same one each time.
[[nodiscard]] std::filesystem::path archiveFolder(const std::filesystem::path& archive);

/// Opens a session file, which stands alone among `paths`: its files are put into archiveFolder(), where
/// programs that the studio starts find them, and sessions that were not opened for long leave that cache.
/// Nothing: there is no session file among the paths.
[[nodiscard]] std::optional<LoadOutcome> loadArchive(const std::vector<std::filesystem::path>& paths,
                                                     const inspector::JoinOptions& options,
                                                     const std::stop_token& stop);

}  // namespace et::studio

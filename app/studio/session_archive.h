#pragma once

#include "app/studio/session_files.h"
#include "inspector/session/artifact.h"

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace et::studio {

/// Folder for the extracted files of a session file: always the same one in the user's cache.
[[nodiscard]] std::filesystem::path archiveFolder(const std::filesystem::path& archive);

/// Opens a session file, which must be the only path in `paths` (`files`: those that can be opened): its
/// files are extracted to archiveFolder(), for use by processes of the studio, and sessions that were not
/// opened for a long time are removed from that cache. Nothing if there is no session file among the paths.
[[nodiscard]] std::optional<LoadOutcome> loadArchive(const std::vector<std::filesystem::path>& paths,
                                                     std::span<const inspector::RecognizedFile> files,
                                                     const inspector::JoinOptions& options,
                                                     const std::stop_token& stop);

}  // namespace et::studio

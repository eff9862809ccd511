#pragma once

#include <filesystem>
#include <optional>

namespace et::core {

/// A folder of the user: what the variable ("XDG_CACHE_HOME") says, else `belowHome` in the home folder.
/// Definition: the XDG Base Directory Specification, which leaves out paths that are not absolute. Nothing:
/// neither the variable nor HOME is set.
[[nodiscard]] std::optional<std::filesystem::path> userFolder(const char* variable,
                                                              const std::filesystem::path& belowHome);

}  // namespace et::core

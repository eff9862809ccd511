#pragma once

#include <filesystem>
#include <optional>

namespace et::core {

/// A user's folder: the value of the variable ("XDG_CACHE_HOME"), else `belowHome` in the home folder.
/// Definition: the XDG Base Directory Specification, which ignores relative paths. Nothing if neither the
/// variable nor HOME is set.
[[nodiscard]] std::optional<std::filesystem::path> userFolder(const char* variable,
                                                              const std::filesystem::path& belowHome);

}  // namespace et::core

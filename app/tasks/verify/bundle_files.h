#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace et::tasks {

/// Lists the files to verify: each path unchanged; for a folder, all bundled programs (.bpte) in it and its
/// subfolders, sorted. A folder without any, and subfolders that cannot be read, stay in the list, so that
/// verifying reports the error. Links to folders are not followed.
[[nodiscard]] std::vector<std::filesystem::path> bundleFiles(std::span<const std::filesystem::path> paths);

}  // namespace et::tasks

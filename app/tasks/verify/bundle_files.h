#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace et::app {

/// The files to verify: each path as it is, and for a folder all bundled programs (.bpte) in it and below,
/// sorted. A folder without any stays on the list, and so does every folder below that cannot be read:
/// verifying it says why. Links to folders are not followed.
[[nodiscard]] std::vector<std::filesystem::path> bundleFiles(std::span<const std::filesystem::path> paths);

}  // namespace et::app

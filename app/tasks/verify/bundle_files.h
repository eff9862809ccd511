#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace et::cli {

/// The files to verify: each path as it is, and for a folder all bundled programs (.bpte) in it and below,
/// sorted. A folder without any, or one that cannot be read, stays on the list: opening it says why.
[[nodiscard]] std::vector<std::filesystem::path> bundleFiles(std::span<const std::filesystem::path> paths);

}  // namespace et::cli

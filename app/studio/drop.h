#pragma once

#include <filesystem>
#include <vector>

class QMimeData;

namespace et::studio {

/// Paths of the local files that are dragged.
[[nodiscard]] std::vector<std::filesystem::path> localPaths(const QMimeData& data);

}  // namespace et::studio

#pragma once

#include <filesystem>
#include <vector>

class QMimeData;

namespace et::studio {

/// Paths of the dragged local files.
[[nodiscard]] std::vector<std::filesystem::path> localPaths(const QMimeData& data);

}  // namespace et::studio

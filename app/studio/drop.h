#pragma once

#include <QList>
#include <QUrl>

#include <filesystem>
#include <vector>

class QMimeData;

namespace et::studio {

/// The files of this machine among what is dragged, or among addresses that a dialog gives.
[[nodiscard]] std::vector<std::filesystem::path> localPaths(const QMimeData& data);
[[nodiscard]] std::vector<std::filesystem::path> localPaths(const QList<QUrl>& urls);

}  // namespace et::studio

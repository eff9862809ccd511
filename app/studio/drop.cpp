#include "app/studio/drop.h"

#include <QFile>
#include <QMimeData>

namespace et::studio {

std::vector<std::filesystem::path> localPaths(const QList<QUrl>& urls) {
    std::vector<std::filesystem::path> paths;
    for (const QUrl& url : urls) {
        if (url.isLocalFile()) {
            paths.emplace_back(QFile::encodeName(url.toLocalFile()).toStdString());
        }
    }
    return paths;
}

std::vector<std::filesystem::path> localPaths(const QMimeData& data) {
    return localPaths(data.urls());
}

}  // namespace et::studio

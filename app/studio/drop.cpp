#include "app/studio/drop.h"

#include <QFile>
#include <QMimeData>
#include <QUrl>

namespace et::studio {

std::vector<std::filesystem::path> localPaths(const QMimeData& data) {
    std::vector<std::filesystem::path> paths;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            paths.emplace_back(QFile::encodeName(url.toLocalFile()).toStdString());
        }
    }
    return paths;
}

}  // namespace et::studio

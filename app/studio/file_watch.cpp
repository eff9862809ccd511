#include "app/studio/file_watch.h"

#include <QFile>
#include <QFileInfo>

#include <chrono>

namespace et::studio {

namespace {

constexpr auto restOfFiles = std::chrono::milliseconds(250);

}  // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    rest.setSingleShot(true);
    rest.setInterval(restOfFiles);
    connect(&watcher, &QFileSystemWatcher::fileChanged, this, [this] { rest.start(); });
    connect(&rest, &QTimer::timeout, this, &FileWatch::look);
}

FileWatch::State FileWatch::stateOf(const QString& path) {
    const QFileInfo file(path);
    return {file.lastModified(), file.size()};
}

void FileWatch::watch(const std::vector<std::filesystem::path>& paths) {
    rest.stop();
    if (!watcher.files().isEmpty()) {
        watcher.removePaths(watcher.files());
    }
    known.clear();
    for (const std::filesystem::path& path : paths) {
        const QString name = QFile::decodeName(path.c_str());
        if (QFileInfo(name).isFile()) {  // a pipe changes on every write
            known.insert(name, stateOf(name));
            watcher.addPath(name);
        }
    }
}

void FileWatch::look() {
    QStringList different;
    for (auto file = known.cbegin(); file != known.cend(); ++file) {
        if (stateOf(file.key()) != file.value()) {
            different.append(QFileInfo(file.key()).fileName());
        }
        if (!watcher.files().contains(file.key())) {
            watcher.addPath(file.key());  // a new file with the same name
        }
    }
    different.sort();
    emit changed(different);
}

}  // namespace et::studio

#include "app/studio/recent_files.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

namespace et::studio {

namespace {

const QString arrayKey = QStringLiteral("recent");
const QString filesKey = QStringLiteral("files");

/// "trace.etdp + model.etrecord  (…/folder)".
QString title(const QStringList& files) {
    const QString folder = QFileInfo(files.first()).dir().dirName();
    return QStringLiteral("%1  (%2)").arg(namesOf(files), folder).replace(u'&', QStringLiteral("&&"));
}

}  // namespace

QString namesOf(const QStringList& files) {
    QStringList names;
    for (const QString& file : files) {
        names.append(QFileInfo(file).fileName());
    }
    return names.join(QStringLiteral(" + "));
}

std::vector<std::filesystem::path> toPaths(const QStringList& files) {
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files) {
        paths.emplace_back(QFile::encodeName(file).toStdString());
    }
    return paths;
}

RecentFiles::RecentFiles(QSettings& settings, QMenu& menu, QObject* parent)
    : QObject(parent), store(settings), list(menu) {
    list.setToolTipsVisible(true);
    fillMenu();
}

QList<QStringList> RecentFiles::sets() const {
    QList<QStringList> found;
    const int size = std::min(store.beginReadArray(arrayKey), maxSets);
    for (int i = 0; i < size; ++i) {
        store.setArrayIndex(i);
        const QStringList files = store.value(filesKey).toStringList();
        if (!files.isEmpty()) {
            found.append(files);
        }
    }
    store.endArray();
    return found;
}

void RecentFiles::add(const std::vector<std::filesystem::path>& paths) {
    QStringList files;
    for (const std::filesystem::path& path : paths) {
        files.append(QFileInfo(QFile::decodeName(path.c_str())).absoluteFilePath());
    }
    if (files.isEmpty()) {
        return;
    }
    QList<QStringList> all = sets();
    all.removeAll(files);
    all.prepend(files);
    store.remove(arrayKey);
    store.beginWriteArray(arrayKey);
    for (int i = 0; i < std::min<qsizetype>(all.size(), maxSets); ++i) {
        store.setArrayIndex(i);
        store.setValue(filesKey, all[i]);
    }
    store.endArray();
    fillMenu();
}

void RecentFiles::clear() {
    store.remove(arrayKey);
    fillMenu();
}

void RecentFiles::fillMenu() {
    list.clear();
    for (const QStringList& files : sets()) {
        QAction* const action = list.addAction(title(files));
        action->setToolTip(files.join(u'\n'));
        connect(action, &QAction::triggered, this, [this, files] { emit chosen(toPaths(files)); });
    }
    list.setEnabled(!list.isEmpty());
    if (!list.isEmpty()) {
        list.addSeparator();
        connect(list.addAction(QStringLiteral("Clear List")), &QAction::triggered, this, &RecentFiles::clear);
    }
}

}  // namespace et::studio

#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <vector>

namespace et::studio {

/// Tells when open files change on disk, also when another file takes their name.
class FileWatch : public QObject {
    Q_OBJECT

  public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches these files, as they are now, and no others.
    void watch(const std::vector<std::filesystem::path>& paths);

  signals:
    /// The names of all that are not what they were; empty when they are again.
    void changed(const QStringList& names);

  private:
    struct State {
        QDateTime modified;
        qint64 bytes = 0;
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] static State stateOf(const QString& path);
    void look();

    QFileSystemWatcher watcher;
    QTimer rest;  ///< a file is often written in several pieces
    QHash<QString, State> known;
};

}  // namespace et::studio

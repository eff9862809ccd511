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

/// Reports when open files change on disk, including their replacement by other files.
class FileWatch : public QObject {
    Q_OBJECT

  public:
    explicit FileWatch(QObject* parent = nullptr);

    /// Watches only these files from now on, relative to their current state.
    void watch(const std::vector<std::filesystem::path>& paths);

  signals:
    /// The names of all files that differ from their recorded state; empty when they match again.
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
    QTimer rest;  ///< delays the check: a file is often written in several steps
    QHash<QString, State> known;
};

}  // namespace et::studio

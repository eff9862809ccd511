#pragma once

#include "app/studio/background.h"
#include "runtime/core/result.h"

#include <QObject>

#include <atomic>
#include <filesystem>
#include <memory>

class QAction;
class QSettings;
class QWidget;

namespace et::visualizers {
class Selection;
}

namespace et::studio {

class RoomArea;

/// "Save Session…": writes what is open, the numeric gap, the notes of the session that it came from, and the
/// arrangement of the rooms to one file, on a thread.
class SessionSaver : public QObject {
    Q_OBJECT

  public:
    /// All of it outlives this object; `window` is what dialogs belong to.
    SessionSaver(visualizers::Selection& selection, QSettings& settings, RoomArea& area, QWidget* window);
    ~SessionSaver() override;

    [[nodiscard]] QAction* action() { return saveAction; }
    void save(const std::filesystem::path& path);
    [[nodiscard]] bool busy() const { return saving.running(); }
    /// Nothing is saved, and what was there stays.
    void cancel();

    /// The session file that what is open came from: its notes are kept, and its rooms are arranged as they
    /// were.
    void cameFrom(const std::filesystem::path& archive);
    /// The session file that what is open came from; empty: files.
    [[nodiscard]] std::filesystem::path archive() const;

  signals:
    void started();
    /// `problem`: one line; empty: the file is there.
    void finished(const QString& problem, const std::filesystem::path& path);

  private:
    void askForName();
    void restoreRooms();

    visualizers::Selection& chosen;
    QSettings& store;
    RoomArea& rooms;
    QWidget* owner;
    QAction* saveAction;
    std::filesystem::path origin;  ///< the session file that was opened last; empty: none
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
    Background<core::Result<>> saving;
};

}  // namespace et::studio

#pragma once

#include "app/studio/background.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

#include <QList>
#include <QObject>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

class QAction;
class QSettings;
class QWidget;

namespace et::visualizers {
class NoteModel;
class OpenSession;
class Results;
}  // namespace et::visualizers

namespace et::studio {

class ArchiveUse;
class RoomArea;

/// "Save Session": writes what is open, the numeric gap, the verdicts of tests, the notes, and the
/// arrangement of the rooms to one file, on a thread: the one that it came from or was saved to last, else
/// one that the person names.
class SessionSaver : public QObject {
    Q_OBJECT

  public:
    /// All of it outlives this object; `window` is what dialogs belong to.
    SessionSaver(const visualizers::OpenSession& session, visualizers::Results& computed,
                 visualizers::NoteModel& book, QSettings& settings, RoomArea& area, QWidget* window);
    ~SessionSaver() override;
    SessionSaver(const SessionSaver&) = delete;
    SessionSaver& operator=(const SessionSaver&) = delete;

    [[nodiscard]] QAction* action() { return saveAction; }
    [[nodiscard]] QList<QAction*> actions() { return {saveAction, saveAsAction}; }
    /// Saves where it was saved last, or asks where. `then` is called once the file is there; not when the
    /// person does not say where, nor after a problem.
    void saveAgain(std::function<void()> then = {});
    void save(const std::filesystem::path& path, std::function<void()> then = {});
    [[nodiscard]] bool busy() const { return saving.running(); }
    /// Nothing is saved, and what was there stays.
    void cancel();

    /// Something else is open now, from this session file (empty: from files): its notes and verdicts are
    /// known, and the rooms arranged as they were. `use` keeps its files where they are.
    void opened(const std::filesystem::path& archive, std::shared_ptr<const ArchiveUse> use = {});
    /// The session file that what is open came from; empty: files.
    [[nodiscard]] std::filesystem::path archive() const;
    /// The session file that what is open came from or was saved to last; empty: none.
    [[nodiscard]] std::filesystem::path savedFile() const { return savedTo.empty() ? archive() : savedTo; }

  signals:
    void started();
    /// `problem`: one line; empty: the file is there.
    void finished(const QString& problem, const std::filesystem::path& path);

  private:
    using Note = inspector::store::Note;

    void askForName(std::function<void()> then);
    void restore();
    void takeSaved(const std::vector<Note>& written, const std::vector<Note>& saved, bool isCurrent);

    const visualizers::OpenSession& current;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    QSettings& store;
    RoomArea& rooms;
    QWidget* owner;
    QAction* saveAction;
    QAction* saveAsAction;
    std::filesystem::path origin;             ///< the session file that was opened last; empty: none
    std::shared_ptr<const ArchiveUse> inUse;  ///< of the files of `origin`
    std::filesystem::path savedTo;            ///< where what is open was saved last; empty: nowhere yet
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
    std::vector<Note> lastSeen;  ///< the notes of that file, or of `origin`, as far as known here
    Background<core::Result<std::vector<Note>>> saving;
};

}  // namespace et::studio

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
#include <optional>
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
class PanelArea;

/// "Save Session": writes the session, the numeric gap, test verdicts, notes, and the arrangement of the
/// panels to one file, on a thread: to the file that it was opened from or last saved to, else to one chosen
/// by the user.
class SessionSaver : public QObject {
    Q_OBJECT

  public:
    /// All parameters must outlive this object; `window` is the parent of dialogs.
    SessionSaver(const visualizers::OpenSession& session, visualizers::Results& computed,
                 visualizers::NoteModel& book, QSettings& settings, PanelArea& area, QWidget* window);
    ~SessionSaver() override;
    SessionSaver(const SessionSaver&) = delete;
    SessionSaver& operator=(const SessionSaver&) = delete;

    [[nodiscard]] QAction* action() { return saveAction; }
    [[nodiscard]] QList<QAction*> actions() { return {saveAction, saveAsAction}; }
    /// Saves to the last file, or shows a dialog. `then` is called once the file is written; not if the
    /// dialog is cancelled, nor after an error.
    void saveAgain(std::function<void()> then = {});
    void save(const std::filesystem::path& path, std::function<void()> then = {});
    [[nodiscard]] bool busy() const { return saving.running(); }
    /// Writes a copy for a command that reads sessions: files, results and notes as shown. `done` receives
    /// the problem; empty on success. Does not change savedFile().
    void writeCopy(const std::filesystem::path& path, std::function<void(const QString& problem)> done);
    /// True if there are notes or results in addition to the files.
    [[nodiscard]] bool hasAdditions() const;
    /// True if savedFile() has the current notes.
    [[nodiscard]] bool isSaved() const;
    /// Cancels saving; an existing file is not changed.
    void cancel();

    /// Call after another session was opened, from this session file (empty: from files): restores its notes,
    /// verdicts and panel arrangement. `use` protects its files in the cache.
    void opened(const std::filesystem::path& archive, std::shared_ptr<const ArchiveUse> use = {});
    /// The session file that the session was opened from; empty: opened from files.
    [[nodiscard]] std::filesystem::path archive() const;
    /// The session file that the session was opened from or last saved to; empty: none.
    [[nodiscard]] std::filesystem::path savedFile() const { return savedTo.empty() ? archive() : savedTo; }

  signals:
    void started();
    /// `problem`: one line; empty on success.
    void finished(const QString& problem, const std::filesystem::path& path);

  private:
    using Note = inspector::store::Note;

    void promptForName(std::function<void()> then);
    /// Returns the work of saving to `path`.
    [[nodiscard]] std::function<core::Result<std::vector<Note>>()> savingTo(
        const std::filesystem::path& path, std::vector<Note> written,
        std::optional<std::vector<Note>> before) const;
    void restore();
    void takeSaved(const std::vector<Note>& written, const std::vector<Note>& saved, bool isCurrent);

    const visualizers::OpenSession& current;
    visualizers::Results& results;
    visualizers::NoteModel& notes;
    QSettings& store;
    PanelArea& panels;
    QWidget* owner;
    QAction* saveAction;
    QAction* saveAsAction;
    std::filesystem::path origin;             ///< the last opened session file; empty: none
    std::shared_ptr<const ArchiveUse> inUse;  ///< use of the files of `origin`
    std::filesystem::path savedTo;            ///< where the session was last saved; empty: not yet
    std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);
    std::vector<Note> lastSeen;  ///< the last known notes of that file, or of `origin`
    Background<core::Result<std::vector<Note>>> saving;
    Background<core::Result<std::vector<Note>>> copying;
};

}  // namespace et::studio

#pragma once

#include "app/studio/file_watch.h"
#include "app/studio/session_loader.h"

#include <QObject>

#include <cstddef>
#include <filesystem>
#include <vector>

class QSettings;
class QWidget;

namespace et::visualizers {
class OpenSession;
}

namespace et::studio {

class Navigator;
class NoticeBar;
class SessionSaver;
class TimeUnitMenu;
class UnsavedNotes;
class ViewLinks;

/// Parts of the window that opening files involves.
struct SessionOpenerContext {
    visualizers::OpenSession& session;
    QSettings& settings;
    const TimeUnitMenu& timeUnits;
    NoticeBar& notices;
    SessionSaver& saver;
    UnsavedNotes& notes;
    Navigator& navigator;
    ViewLinks& links;
};

/// Opens files into the session of the window on a worker thread, closes them, and reports when they change
/// on disk. Asks before unsaved notes are lost.
class SessionOpener : public QObject {
    Q_OBJECT

  public:
    /// Everything in `context`, and `window`, the parent of dialogs, must outlive this object.
    SessionOpener(const SessionOpenerContext& context, QWidget* window);

    /// Adds files that match the session to it; others replace it. Applies links, and passes stores of
    /// measurements to their panel.
    void open(const std::vector<std::filesystem::path>& paths);
    /// Replaces the session.
    void openAlone(const std::vector<std::filesystem::path>& paths);
    /// Adds files to the session, whether they match or not.
    void addTraces(const std::vector<std::filesystem::path>& paths);
    void promptForFiles();
    void promptForTraces();
    void reload();
    /// Makes one of the other traces the main one.
    void makeMain(std::size_t other);
    void closeOthers();
    /// Joins the files again after the time unit has changed.
    void rejoin();
    void close();

    [[nodiscard]] SessionLoader& loader() { return sessionLoader; }

  signals:
    /// Loading takes noticeably long, or has ended.
    void busyChanged(bool busy);
    /// The first files are being opened, or are open.
    void openingChanged(bool opening);
    /// The session contains these files now.
    void filesShown(const std::vector<std::filesystem::path>& paths);
    /// The session file is another one.
    void archiveChanged();

  private:
    void take(const LoadOutcome& outcome);
    void show(const LoadOutcome& outcome);
    void showChangedFiles(const QStringList& names);
    [[nodiscard]] inspector::JoinOptions options() const;

    visualizers::OpenSession& session;
    QSettings& store;
    const TimeUnitMenu& timeUnits;
    NoticeBar& notices;
    SessionSaver& saver;
    UnsavedNotes& unsavedNotes;
    Navigator& navigator;
    ViewLinks& links;
    QWidget* owner;
    SessionLoader sessionLoader;
    FileWatch watch;
};

}  // namespace et::studio

#pragma once

#include "app/studio/session_loader.h"
#include "visualizers/debug_state.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"

#include <QMainWindow>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

class QSettings;
class QStackedWidget;

namespace et::studio {

class CommandPalette;
class EmptyPage;
class ExplainDialog;
class ExportMenu;
class History;
class JobDialog;
class Navigator;
class NoticeBar;
class PanelArea;
class PerspectiveBar;
class RecentFiles;
class SampleMaker;
class SessionOpener;
class SessionSaver;
class SideRail;
class StatusLine;
class TimeUnitMenu;
class TourBar;
class TraceMenu;
class UnsavedNotes;
class ViewLinks;

/// The main window around the panels: menus, notices and recent files, with the session, selection and
/// results that the panels share.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    /// `settings` stores recent files and window state, and must outlive the window.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;
    MainWindow(const MainWindow&) = delete;
    MainWindow& operator=(const MainWindow&) = delete;

    /// Opens any mix of files together, in the background. Files that match the session are added to it (a
    /// trace of the same program next to the open one); others replace it. A path may end with a link to a
    /// view ("model.db#perspective=time").
    void open(const std::vector<std::filesystem::path>& paths);
    /// Adds traces to the session, whether they match or not.
    void addTraces(const std::vector<std::filesystem::path>& paths);

    [[nodiscard]] visualizers::OpenSession& opened() { return shown; }
    [[nodiscard]] visualizers::Selection& selection() { return chosen; }
    [[nodiscard]] visualizers::Results& results() { return computed; }
    [[nodiscard]] visualizers::DebugState& debugState() { return debugger; }
    [[nodiscard]] PanelArea& area() { return *panelArea; }
    [[nodiscard]] NoticeBar& notices() { return *noticeBar; }
    [[nodiscard]] SessionLoader& loader();
    [[nodiscard]] SessionSaver& saver() { return *sessionSaver; }

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void createPanels(QWidget* centre);
    void createCentre(QWidget* centre);
    void createServices();
    void connectPanels();
    void createFileMenu();
    void createViewMenu();
    void createHelpMenu();
    void connectServices();

    void showProblem(const QString& problem);
    void showSession();
    void showTitle();
    void copyLink();
    void makeSample();
    void startTour(std::size_t tour);

    QSettings& store;
    visualizers::OpenSession shown;
    visualizers::Selection chosen{shown};
    visualizers::Results computed{shown};
    visualizers::NoteModel notes;
    visualizers::DebugState debugger;
    std::unique_ptr<Navigator> navigator;
    std::unique_ptr<ViewLinks> links;
    std::unique_ptr<SessionOpener> opener;
    TimeUnitMenu* timeUnits = nullptr;
    NoticeBar* noticeBar = nullptr;
    EmptyPage* emptyPage = nullptr;
    PanelArea* panelArea = nullptr;
    PerspectiveBar* perspectiveBar = nullptr;
    SideRail* sideRail = nullptr;
    CommandPalette* commandPalette = nullptr;
    QStackedWidget* pages = nullptr;
    StatusLine* statusLine = nullptr;
    RecentFiles* recent = nullptr;
    JobDialog* jobDialog = nullptr;
    ExplainDialog* explainDialog = nullptr;
    History* history = nullptr;
    SessionSaver* sessionSaver = nullptr;
    UnsavedNotes* unsavedNotes = nullptr;
    TraceMenu* traces = nullptr;
    ExportMenu* exports = nullptr;
    SampleMaker* sampleMaker = nullptr;
    TourBar* tourBar = nullptr;
    std::optional<std::size_t> waitingTour;  ///< starts when the sample is open
    QAction* besideAction = nullptr;
};

}  // namespace et::studio

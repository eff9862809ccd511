#pragma once

#include "app/studio/session_loader.h"
#include "app/studio/time_unit_menu.h"
#include "app/studio/view_link.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"

#include <QMainWindow>
#include <QStringList>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

class QLabel;
class QProgressBar;
class QSettings;
class QStackedWidget;

namespace et::studio {

class CommandPalette;
class EmptyPage;
class ExportMenu;
class FileWatch;
class JobDialog;
class History;
class NoticeBar;
struct Perspective;
class PerspectiveBar;
class RecentFiles;
class PanelArea;
class SampleMaker;
class SessionSaver;
class SideRail;
class TourBar;
class TraceMenu;
class UnsavedNotes;

/// The main window around the panels: menus, notices, recent files, and loading of files into the session,
/// selection and results that the panels share.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    /// `settings` stores recent files and window state, and must outlive the window.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens any mix of files together, in the background. Files that match the session are added to it (a
    /// trace of the same program next to the open one); others replace it. A path may end with a link to a
    /// view ("model.db#perspective=time").
    void open(const std::vector<std::filesystem::path>& paths);
    /// Adds traces to the session, whether they match or not.
    void openBeside(const std::vector<std::filesystem::path>& paths);

    [[nodiscard]] visualizers::OpenSession& opened() { return shown; }
    [[nodiscard]] visualizers::Selection& selection() { return chosen; }
    [[nodiscard]] visualizers::Results& results() { return computed; }
    [[nodiscard]] PanelArea& area() { return *panelArea; }
    [[nodiscard]] NoticeBar& notices() { return *noticeBar; }
    [[nodiscard]] SessionLoader& loader() { return sessionLoader; }
    [[nodiscard]] SessionSaver& saver() { return *sessionSaver; }

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void createWidgets();
    void createStatusBar();
    void createFileMenu();
    void createViewMenu();
    void createHelpMenu();
    void connectSaver();
    void connectLoader();
    void restoreWindow();

    void askForFiles();
    void askForTraces();
    void reload();
    void makeMain(std::size_t other);
    void closeOthers();
    [[nodiscard]] std::vector<std::filesystem::path> takeLinks(
        const std::vector<std::filesystem::path>& paths);
    [[nodiscard]] std::vector<std::filesystem::path> withoutStores(
        std::vector<std::filesystem::path> paths) const;
    void followLink();
    void copyLink();
    void copyPicture() const;
    void savePicture(const QString& file);
    void saveTable(const QString& file);
    void tellProblem(const QString& problem);
    void openPalette();
    void makeSample();
    void startTour(std::size_t tour);
    void showChangedFiles(const QStringList& names);
    void rejoin();
    void closeSession();
    void setBusy(bool busy);
    void take(const LoadOutcome& outcome);
    void showOutcome(const LoadOutcome& outcome);
    void showOtherProgram(const std::filesystem::path& program);
    void showSession();
    void showTitle();
    void choosePerspective();
    void showOperators();
    [[nodiscard]] inspector::JoinOptions options() const;

    QSettings& store;
    visualizers::OpenSession shown;
    visualizers::Selection chosen{shown};
    visualizers::Results computed{shown};
    visualizers::NoteModel notes;
    SessionLoader sessionLoader;
    TimeUnitMenu* timeUnits = nullptr;
    NoticeBar* noticeBar = nullptr;
    EmptyPage* emptyPage = nullptr;
    PanelArea* panelArea = nullptr;
    PerspectiveBar* perspectiveBar = nullptr;
    SideRail* sideRail = nullptr;
    const Perspective* question = nullptr;  ///< perspective chosen for the open files; null: nothing is open
    CommandPalette* commandPalette = nullptr;
    QStackedWidget* pages = nullptr;
    QLabel* figures = nullptr;
    QProgressBar* progress = nullptr;
    QAction* cancelAction = nullptr;
    RecentFiles* recent = nullptr;
    JobDialog* fixDialog = nullptr;
    History* history = nullptr;
    FileWatch* watch = nullptr;
    SessionSaver* sessionSaver = nullptr;
    UnsavedNotes* unsavedNotes = nullptr;
    TraceMenu* traces = nullptr;
    ExportMenu* exports = nullptr;
    SampleMaker* sampleMaker = nullptr;
    TourBar* tourBar = nullptr;
    std::optional<ViewLink> link;  ///< to apply when the files are open
    QStringList linkProblems;
    std::optional<std::size_t> waitingTour;  ///< starts when the sample is open
    QAction* besideAction = nullptr;
};

}  // namespace et::studio

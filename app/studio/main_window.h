#pragma once

#include "app/studio/session_loader.h"
#include "app/studio/time_unit_menu.h"
#include "visualizers/selection.h"

#include <QMainWindow>

#include <filesystem>
#include <vector>

class QLabel;
class QProgressBar;
class QSettings;
class QStackedWidget;

namespace et::studio {

class CommandPalette;
class EmptyPage;
class NoticeBar;
class RecentFiles;
class RoomArea;

/// The shell around the rooms: menus, notices, recent files, and loading what the user opens into the one
/// Selection that the rooms share.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    /// `settings` keeps recent files and window state, and must outlive the window.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens files of any mix together, in the background.
    void open(const std::vector<std::filesystem::path>& paths);

    [[nodiscard]] visualizers::Selection& selection() { return chosen; }
    [[nodiscard]] RoomArea& area() { return *roomArea; }
    [[nodiscard]] NoticeBar& notices() { return *noticeBar; }
    [[nodiscard]] SessionLoader& loader() { return sessionLoader; }

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void createWidgets();
    void createStatusBar();
    void createFileMenu();
    void createViewMenu();
    void createRoomsMenu();
    void createHelpMenu();
    void createAppearanceMenu(QMenu& menu);
    void connectLoader();
    void restoreWindow();

    void chooseFiles();
    void reload();
    void rejoin();
    void closeSession();
    void setBusy(bool busy);
    void take(const LoadOutcome& outcome);
    void showSession();
    void showOperators();
    [[nodiscard]] inspector::JoinOptions options() const;

    QSettings& store;
    visualizers::Selection chosen;
    SessionLoader sessionLoader;
    TimeUnitMenu* timeUnits = nullptr;
    NoticeBar* noticeBar = nullptr;
    EmptyPage* emptyPage = nullptr;
    RoomArea* roomArea = nullptr;
    CommandPalette* commandPalette = nullptr;
    QStackedWidget* pages = nullptr;
    QLabel* figures = nullptr;
    QProgressBar* progress = nullptr;
    QAction* cancelAction = nullptr;
    RecentFiles* recent = nullptr;
};

}  // namespace et::studio

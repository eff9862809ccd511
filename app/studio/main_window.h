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

namespace et::visualizers {
class EventView;
}

namespace et::studio {

class EmptyPage;
class NoticeBar;
class RecentFiles;

/// Composes the views around one Selection, and loads what the user opens into it.
class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    /// `settings` keeps recent files and window state, and must outlive the window.
    explicit MainWindow(QSettings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens files of any mix together, in the background.
    void open(const std::vector<std::filesystem::path>& paths);

    [[nodiscard]] visualizers::Selection& selection() { return chosen; }
    [[nodiscard]] visualizers::EventView& events() { return *eventView; }
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
    void createHelpMenu();
    void connectLoader();
    void restoreWindow();

    void chooseFiles();
    void reload();
    void rejoin();
    void closeSession();
    void setBusy(bool busy);
    void take(const LoadOutcome& outcome);
    void showSession();
    [[nodiscard]] inspector::JoinOptions options() const;

    QSettings& store;
    visualizers::Selection chosen;
    SessionLoader sessionLoader;
    NoticeBar* noticeBar = nullptr;
    EmptyPage* emptyPage = nullptr;
    visualizers::EventView* eventView = nullptr;
    QStackedWidget* pages = nullptr;
    QLabel* figures = nullptr;
    QProgressBar* progress = nullptr;
    QAction* cancelAction = nullptr;
    TimeUnitMenu* timeUnits = nullptr;
    RecentFiles* recent = nullptr;
};

}  // namespace et::studio

#pragma once

#include "app/studio/debug/debug_session.h"
#include "app/studio/panel.h"
#include "app/studio/panel_capabilities.h"
#include "inspector/session/session.h"

#include <filesystem>

class QLabel;
class QProgressBar;
class QStackedWidget;
class QTabWidget;
class QToolBar;

namespace et::visualizers {
class TimeSlider;
}  // namespace et::visualizers

namespace et::studio {

class DebugActions;
class DebugConsole;
class DebugTriggerList;
class DebugValueList;
class DebugValuePane;
class DebugWatchList;
class InputFields;
class OptionFields;

/// Debugs the open program in a separate process: controls, the current position, a slider over all
/// executions and instructions, values, watched expressions, breakpoints, and details of one value.
class DebugPanel : public Panel, public MenuOwner {
    Q_OBJECT

  public:
    DebugPanel(const PanelContext& context, QWidget* parent);
    ~DebugPanel() override;
    DebugPanel(const DebugPanel&) = delete;
    DebugPanel& operator=(const DebugPanel&) = delete;

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    [[nodiscard]] QString menuTitle() const override;
    [[nodiscard]] QList<QAction*> menuActions() const override;

    [[nodiscard]] DebugSession& session() { return *debugged; }
    [[nodiscard]] DebugValueList& values() { return *valueList; }
    [[nodiscard]] DebugWatchList& watches() { return *watchList; }
    [[nodiscard]] DebugTriggerList& triggers() { return *triggerList; }
    [[nodiscard]] DebugConsole& console() { return *commands; }
    [[nodiscard]] DebugValuePane& value() { return *valuePane; }
    [[nodiscard]] visualizers::TimeSlider& slider() { return *time; }
    /// The text of the current position.
    [[nodiscard]] QString positionLine() const;
    /// True while a command or a value is outstanding.
    [[nodiscard]] bool busy() const;

  private:
    void createTools();
    QWidget* createStart();
    QWidget* createBody();
    void connectSession();
    [[nodiscard]] QStringList arguments() const;
    /// The program or bundled program; empty: none.
    [[nodiscard]] std::filesystem::path debuggedFile() const;
    void start();
    void showSession();
    void showState();
    void showPosition();

    const visualizers::OpenSession& opened;
    visualizers::DebugState& shared;
    QSettings& store;
    DebugSession* debugged;
    DebugActions* control;
    inspector::SessionFiles files;  ///< of the debugged program
    QToolBar* tools;
    QAction* startAction = nullptr;
    QProgressBar* progress;
    QAction* progressArea = nullptr;
    OptionFields* optionFields = nullptr;
    InputFields* inputs = nullptr;
    QLabel* hint;
    QLabel* place;
    QLabel* reason;
    QLabel* problem;
    visualizers::TimeSlider* time;
    QTabWidget* lists;
    DebugValueList* valueList;
    DebugWatchList* watchList;
    DebugTriggerList* triggerList;
    DebugConsole* commands;
    DebugValuePane* valuePane;
    QStackedWidget* pages;
};

}  // namespace et::studio

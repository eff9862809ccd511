#pragma once

#include "app/studio/panel.h"
#include "app/studio/run/run_list.h"
#include "app/studio/run_process.h"

#include <QTemporaryDir>

class QAction;
class QLabel;
class QProgressBar;
class QStackedWidget;
class QToolBar;
class QTreeView;

namespace et::visualizers {
class Splitter;
}

namespace et::studio {

class RunForm;
class RunPreview;
class RunResult;
class TargetsDialog;

/// Runs the open program in a separate process with the selected options, lists the results, and opens the
/// recorded trace.
class RunPanel : public Panel {
    Q_OBJECT

  public:
    RunPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    [[nodiscard]] RunForm& form() { return *choices; }
    [[nodiscard]] RunList& runs() { return *list; }
    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] RunResult& result() { return *shown; }
    [[nodiscard]] bool running() const { return process.running(); }

  private:
    void createTools();
    void createTable();
    void start();
    void cancel();
    void openTrace();
    void saveFiles();
    void editTargets();
    void copyCommand();
    void showSession();
    void showCommand();
    void showRun();
    void showState();
    void take(const RunEnd& end);
    void showProgress(const RunProgress& now);
    void addLines(const std::vector<RunLine>& lines);
    [[nodiscard]] RunFiles filesOf(int number) const;
    [[nodiscard]] const RunRecord* currentRun() const;
    /// Returns the previous run of the same model with outputs, or null.
    [[nodiscard]] const RunRecord* runBefore(const RunRecord& run) const;

    const visualizers::OpenSession& opened;
    QSettings& store;
    std::function<void(const std::vector<std::filesystem::path>&)> open;
    RunProcess process;
    QTemporaryDir folder;
    RunList* list;
    QToolBar* tools;
    QProgressBar* progress;
    QAction* progressArea = nullptr;  ///< in the tool bar
    QLabel* summary;
    RunForm* choices;
    QTreeView* rows;
    RunResult* shown;
    TargetsDialog* targets = nullptr;  ///< created on first use
    RunPreview* preview;               ///< shown until the first run
    QStackedWidget* pages;
    visualizers::Splitter* down;
    QAction* startAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* openAction = nullptr;
    QAction* saveAction = nullptr;
};

}  // namespace et::studio

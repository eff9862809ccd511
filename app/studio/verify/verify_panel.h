#pragma once

#include "app/studio/panel.h"
#include "app/studio/verify/test_run.h"
#include "visualizers/verify/test_model.h"

#include <memory>
#include <optional>
#include <set>

class QLabel;
class QLineEdit;
class QProgressBar;
class QSortFilterProxyModel;
class QToolBar;
class QTreeView;

namespace et::visualizers {
class ComparisonView;
struct ComparedValues;
}  // namespace et::visualizers

namespace et::studio {

/// Panel of a bundled program's cases: runs them in separate processes, shows their verdicts, and compares
/// the expected outputs with the actual ones.
class VerifyPanel : public Panel {
    Q_OBJECT

  public:
    VerifyPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;

    [[nodiscard]] visualizers::TestModel& model() { return *tests; }
    [[nodiscard]] visualizers::ComparisonView& comparison() { return *values; }
    [[nodiscard]] QTreeView& tree() { return *rows; }
    [[nodiscard]] bool running() const { return run.running(); }

  private:
    void createTools();
    QLineEdit* addTolerance(const char* name, const QString& toolTip);
    void createTree();

    void showSession();
    void showCase();
    void showRow(const QModelIndex& row);
    void showValues();
    void showState();
    [[nodiscard]] visualizers::ComparedValues valuesAt(const visualizers::TestRef& place) const;
    void take(const bundled_program::FileReport& report);
    void showVerdicts();

    void runAll();
    void runFailed();
    void runSelected();
    void runCases(const std::vector<visualizers::CaseRef>& cases);
    void cancel();
    void showInProgram();
    void soak();

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    visualizers::Results& results;
    QSettings& store;
    std::function<void(const JobRequest&)> fix;
    TestRun run;
    visualizers::TestModel* tests;
    QSortFilterProxyModel* proxy;
    QToolBar* tools;
    QLineEdit* filter;
    QLineEdit* relativeBox = nullptr;
    QLineEdit* absoluteBox = nullptr;
    QTreeView* rows;
    visualizers::ComparisonView* values;
    QProgressBar* progress;
    QAction* progressArea = nullptr;  ///< in the tool bar
    QLabel* summary;
    QAction* runAllAction = nullptr;
    QAction* runFailedAction = nullptr;
    QAction* runSelectedAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* showInProgramAction = nullptr;
    QAction* soakAction = nullptr;
    std::optional<visualizers::TestRef> shown;
    /// Verdicts published by this panel; different ones come from a saved session.
    std::shared_ptr<const visualizers::CaseReports> told;
    std::set<visualizers::CaseRef> fromSession;  ///< cases with saved verdicts but no outputs
};

}  // namespace et::studio

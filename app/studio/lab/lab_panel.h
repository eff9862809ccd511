#pragma once

#include "app/studio/background.h"
#include "app/studio/lab/lab_experiment.h"
#include "app/studio/lab/lab_jobs.h"
#include "app/studio/lab/saved_lab.h"
#include "app/studio/panel.h"
#include "visualizers/lab/lab_study.h"

#include <QTimer>

#include <memory>
#include <vector>

class QComboBox;
class QProgressBar;
class QSpinBox;
class QStackedWidget;
class QToolBar;

namespace et::visualizers {
class Splitter;
}  // namespace et::visualizers

namespace et::studio {

class LabBudget;
class LabPlotExport;
class LabProgramBuilder;
class LabResultView;
class LabSiteTable;
class LabStart;

/// Panel of the costs and gains of quantizing each site of the open float model: the user chooses a scheme
/// per site; error, bytes and time are predicted immediately and then measured in a separate process. All
/// measured programs are shown in a Pareto plot.
class LabPanel : public Panel {
    Q_OBJECT

  public:
    LabPanel(const PanelContext& context, QWidget* parent);
    ~LabPanel() override;
    LabPanel(const LabPanel&) = delete;
    LabPanel& operator=(const LabPanel&) = delete;

    [[nodiscard]] bool hasContent() const override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    struct Views {
        LabSiteTable& sites;
        LabResultView& result;
        LabStart& start;
        const LabExperiment& experiment;
        const LabJobs& jobs;
    };
    [[nodiscard]] Views views() { return {*table, *result, *start, experiment, jobs}; }
    /// True if nothing runs and no measurement is pending.
    [[nodiscard]] bool idle() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void createTools();
    void createCommands();
    void createResult();
    void connectJobs();

    void showSession();
    void study();
    void search();
    void editInputs();

    /// Restores the saved study of the open record.
    void takeKept();
    void takeStudy(const std::shared_ptr<const visualizers::LabStudy>& study);
    void takeSearched();
    void takeCandidates(const std::vector<visualizers::LabCandidate>& candidates);
    void chooseCandidate(std::size_t candidate);
    void takeEdit();
    void measureNext();

    void showMeasured();
    void showChoice();
    void showState();

    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    visualizers::Results& results;
    LabJobs jobs;
    Background<std::vector<double>> timing;
    QTimer patience;   ///< delays measuring while the user is still making choices
    LabRequest asked;  ///< of the running study, or the last one
    LabExperiment experiment;
    SavedLab kept;
    QString failure;
    QString news;          ///< result of the last program written
    bool editing = false;  ///< the user is selecting other inputs

    QToolBar* tools;
    QComboBox* costBox;
    QSpinBox* seconds;
    LabBudget* budget;
    QProgressBar* progress;
    QAction* progressArea = nullptr;  ///< in the tool bar
    QStackedWidget* pages;
    LabSiteTable* table;
    LabResultView* result;
    LabStart* start;
    LabProgramBuilder* builder;
    LabPlotExport* plotExport;
    visualizers::Splitter* across = nullptr;
    QAction* studyAction = nullptr;
    QAction* searchAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* openAction = nullptr;
    QAction* compareAction = nullptr;
    QAction* saveAction = nullptr;
    std::vector<QAction*> choiceActions{};  ///< actions that require a study
};

}  // namespace et::studio

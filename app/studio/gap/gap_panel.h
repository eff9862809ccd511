#pragma once

#include "app/studio/gap/gap_files.h"
#include "app/studio/gap/gap_job.h"
#include "app/studio/panel.h"
#include "inspector/session/session.h"

#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolBar;

namespace et::visualizers {
class GapView;
class Splitter;
}  // namespace et::visualizers

namespace et::studio {

class GapDetails;
class GapOptionsTools;

/// Numeric gap of each operator of the open program to the graph that it was exported from: calculated in a
/// separate process, shown as plot and table, with both tensors of the selected operator below. If files have
/// changed since, the gap is shown dimmed until the user recalculates it, which may take minutes.
class GapPanel : public Panel {
    Q_OBJECT

  public:
    GapPanel(const PanelContext& context, QWidget* parent);

    [[nodiscard]] bool hasContent() const override;
    void find() override;
    [[nodiscard]] QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    [[nodiscard]] QByteArray viewState() const override;
    void restoreView(const QByteArray& state) override;

    [[nodiscard]] visualizers::GapView& view() { return *rows; }
    [[nodiscard]] GapDetails& details() { return *operatorDetails; }
    [[nodiscard]] GapOptionsTools& options() { return *choices; }
    [[nodiscard]] bool running() const { return job.running(); }

  private:
    void createTools();
    QWidget* createHintPage();
    void calculate();
    void cancel();
    void reduce();
    void showSession();
    void showRow();
    void showState();
    void showHint(const QString& missing);
    void showAge();
    void take(const std::shared_ptr<const inspector::GapReport>& report);
    void showFailure(const QString& problem, const QString& log);

    const visualizers::OpenSession& opened;
    visualizers::Results& results;
    std::function<void(const JobRequest&)> fix;
    GapJob job;
    std::shared_ptr<const inspector::Session> of;  ///< session of the job or the gap
    GapFiles files;                                ///< of `of`, at the start of the last job
    GapFiles known;                                ///< of the displayed gap
    std::shared_ptr<const inspector::GapReport> shown;
    QString failure;
    QToolBar* tools;
    GapOptionsTools* choices = nullptr;
    QProgressBar* progress;
    QAction* progressArea = nullptr;  ///< in the tool bar
    QLabel* summary;
    QLabel* age;  ///< shown if the gap is stale
    QStackedWidget* pages;
    QLabel* hint;
    QPushButton* begin = nullptr;
    visualizers::GapView* rows;
    GapDetails* operatorDetails;
    visualizers::Splitter* splitter;
    QAction* calculateAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* reduceAction = nullptr;
};

}  // namespace et::studio

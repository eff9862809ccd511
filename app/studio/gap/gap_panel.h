#pragma once

#include "app/studio/gap/gap_job.h"
#include "app/studio/panel.h"
#include "app/tasks/gap/gap_run.h"
#include "inspector/session/session.h"

#include <QDateTime>

#include <filesystem>
#include <memory>
#include <vector>

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

/// The state on disk of a gap's input files; two states are equal if nothing was written in between.
class GapFiles {
  public:
    GapFiles() = default;
    /// Records the state of the files of `request`.
    explicit GapFiles(const tasks::GapSettings& request);

    /// True if the gap is of a program that runs here, not of a trace.
    [[nodiscard]] bool ofProgram() const { return program; }
    bool operator==(const GapFiles&) const = default;

  private:
    struct File {
        std::filesystem::path path;
        QDateTime modified;
        qint64 bytes = 0;
        bool operator==(const File&) const = default;
    };
    bool program = false;
    std::vector<File> all;
};

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
    void calculate();
    void showProgress(const RunProgress& now);
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
    QPushButton* begin;
    visualizers::GapView* rows;
    GapDetails* operatorDetails;
    visualizers::Splitter* splitter;
    QAction* calculateAction = nullptr;
    QAction* cancelAction = nullptr;
    QAction* reduceAction = nullptr;
};

}  // namespace et::studio

#pragma once

#include "app/studio/background.h"
#include "app/studio/run/run_list.h"
#include "visualizers/run/run_gauge.h"
#include "visualizers/verify/comparison_view.h"

#include <QWidget>

#include <filesystem>
#include <optional>
#include <span>

class QComboBox;
class QLabel;
class QTabWidget;
class QTreeView;

namespace et::studio {

/// Results of a run: times and memory, outputs next to those of another run, and the log.
class RunResult : public QWidget {
    Q_OBJECT

  public:
    explicit RunResult(QWidget* parent = nullptr);

    /// Null for none. `before`: the run whose outputs are shown next to them, or null.
    void setRun(const RunRecord* run, const RunRecord* before);

    /// Adds new lines to the log of the displayed run.
    void addLines(std::span<const LoggedLine> lines) { logView->add(lines); }
    void showGauge(const visualizers::GaugeHistory& history);
    /// Shows the log while the run is in progress; after success, returns to the previous page.
    void watch();
    void endWatch(bool endedWell);

    [[nodiscard]] visualizers::ComparisonView& outputs() { return *values; }
    [[nodiscard]] const visualizers::RunGauge& gauge() const { return *gaugeView; }
    [[nodiscard]] QString figures() const;
    [[nodiscard]] QString log() const;
    [[nodiscard]] bool loading() const { return reading.running(); }

  signals:
    /// An operator with a memory error was chosen.
    void operatorChosen(const QString& method, int instruction);

  private:
    [[nodiscard]] QWidget* makeErrorPage();
    void setErrors(const RunRecord* run);
    void chooseError(const QModelIndex& index);
    [[nodiscard]] QWidget* makeOutputPage();
    [[nodiscard]] QWidget* makeLogPage();
    void showOutput();

    std::filesystem::path folder;
    std::filesystem::path folderBefore;
    Background<visualizers::ComparedValues> reading;
    QTabWidget* tabs;
    QLabel* numbers;
    QComboBox* outputBox;
    visualizers::ComparisonView* values;
    visualizers::RunGauge* gaugeView;  ///< above the log
    RunLogView* logView;
    MemoryErrorList* errors;
    QTreeView* errorRows;
    QWidget* errorPage = nullptr;
    QWidget* logPage = nullptr;
    int logOf = 0;  ///< number of the run in the log; 0: none
    std::optional<int> tabBefore;
};

}  // namespace et::studio

#pragma once

#include "app/studio/run/memory_error_list.h"
#include "app/studio/run/run_log.h"
#include "app/studio/run/run_request.h"
#include "app/studio/run_process.h"
#include "visualizers/run/gauge_history.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace et::studio {

/// Times of a run in milliseconds and its memory use, from its JSON.
struct RunFigures {
    std::optional<double> load, first, p50, p90, average, minimum, maximum;
    std::optional<double> peakBytes;
    qint64 executions = 0;
};
/// Reads the JSON of `run` or `bench`; returns nothing for other texts.
[[nodiscard]] std::optional<RunFigures> readFigures(const QByteArray& json);

/// A finished or running run.
struct RunRecord {
    int number = 0;
    RunRequest request;
    RunFiles files;
    QString command;
    bool running = true;
    RunEnd end;
    RunLog log{};
    visualizers::GaugeHistory gauge{};
    std::optional<RunFigures> figures;
    std::optional<std::vector<MemoryErrorRow>> memoryErrors{};  ///< nothing: not checked
};

/// All runs of this window, newest first.
class RunList : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Number, State, Model, Median, P90, First, Load, Peak, Command };
    static constexpr int columnTotal = Command + 1;

    using QAbstractTableModel::QAbstractTableModel;

    /// Inserts a run at the front; the reference is valid until the next call.
    RunRecord& add(RunRecord run);
    /// Call when the newest run has changed.
    void update();
    [[nodiscard]] const RunRecord* run(const QModelIndex& index) const;
    [[nodiscard]] RunRecord& newest() { return runs.back(); }
    [[nodiscard]] std::size_t size() const { return runs.size(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    std::vector<RunRecord> runs;  ///< newest last
};

/// "done", "running", "crashed", "exit code 3".
[[nodiscard]] QString stateText(const RunRecord& run);

}  // namespace et::studio

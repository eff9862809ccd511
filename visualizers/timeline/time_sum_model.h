#pragma once

#include "inspector/format/time_scale.h"
#include "visualizers/selection.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A row with a time: a name with its sum, or an event.
struct TimeSum {
    QString name;
    double time = 0;   ///< in the unit of the model
    double share = 0;  ///< fraction of the table's total, 0 to 1
    std::size_t count = 0;
    std::optional<EventRef> event{};  ///< of a sum: the longest; nothing: not among the rows of the trace
};

/// Names with their times, in the given order: name, time, share, count.
class TimeSumModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column : int { Name, Time, Share, Count };
    enum Role : int {
        SortRole = Qt::UserRole,  ///< QString or double
        ShareRole,                ///< double, 0 to 1, in the share column
    };

    /// `title` is the header of the names, `countTitle` that of the last column.
    TimeSumModel(const QString& title, const QString& countTitle, QObject* parent);

    void setSums(std::vector<TimeSum> shown, inspector::TimeScale scale);
    [[nodiscard]] const std::vector<TimeSum>& sums() const { return all; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    [[nodiscard]] QString textOf(const TimeSum& sum, int column) const;

    QString nameTitle;
    QString lastTitle;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    std::vector<TimeSum> all;
};

}  // namespace et::visualizers

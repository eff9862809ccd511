#pragma once

#include "visualizers/timeline/time_sum_model.h"

#include <QTreeView>

class QSortFilterProxyModel;

namespace et::visualizers {

/// A sortable table of names with their times.
class TimeSumTable : public QTreeView {
    Q_OBJECT

  public:
    TimeSumTable(const QString& title, const QString& countTitle, QWidget* parent);

    /// Shows the sums in this order until the user sorts them.
    void show(std::vector<TimeSum> sums, inspector::TimeScale scale);
    [[nodiscard]] const TimeSumModel& content() const { return *rows; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 80}; }

  signals:
    /// Emitted when a row is clicked or reached with the keyboard.
    void rowChosen(const et::visualizers::TimeSum& sum);
    /// The row under the pointer; empty if there is none.
    void rowHovered(const et::visualizers::TimeSum& sum);

  protected:
    void leaveEvent(QEvent* event) override;

  private:
    TimeSumModel* rows;
    QSortFilterProxyModel* sorted;
};

}  // namespace et::visualizers

#pragma once

#include "inspector/events/event_table.h"
#include "inspector/format/table.h"
#include "visualizers/toolkit/report_table_model.h"

#include <QWidget>

#include <memory>

class QSortFilterProxyModel;
class QTreeView;

namespace et::visualizers {

/// The time of a trace summed by operator, module or delegate. Uses self times, so that the rows of a block
/// add up to its total.
class GroupTable : public QWidget {
    Q_OBJECT

  public:
    explicit GroupTable(QWidget* parent = nullptr);

    /// Shows sums of `blocks` (null: nothing) by `grouping` over the events that `filter` (an expression like
    /// `et-inspect --filter`) keeps. An invalid expression changes nothing.
    void show(std::shared_ptr<const inspector::EventBlocks> blocks, inspector::events::GroupBy grouping,
              const QString& filter);

    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] const ReportTableModel& model() const { return *content; }
    /// The selected rows, or all if none is selected, in screen order.
    [[nodiscard]] QString text(inspector::format::Format format) const;

  signals:
    /// Emitted on a double click or Enter on a group.
    void opened(const QString& name);

  private:
    void fitColumns();

    ReportTableModel* content;
    QSortFilterProxyModel* proxy;
    QTreeView* rows;
    inspector::events::GroupBy shown = inspector::events::GroupBy::None;
};

}  // namespace et::visualizers

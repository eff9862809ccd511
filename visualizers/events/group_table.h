#pragma once

#include "inspector/events/event_table.h"
#include "inspector/format/table.h"
#include "visualizers/toolkit/report_table_model.h"

#include <QWidget>

#include <memory>

class QSortFilterProxyModel;
class QTreeView;

namespace et::visualizers {

/// The time of a trace summed by operator, module or delegate: self times, so that the rows of a block add up
/// to its total.
class GroupTable : public QWidget {
    Q_OBJECT

  public:
    explicit GroupTable(QWidget* parent = nullptr);

    /// Shows sums of `blocks` (null: nothing) by `grouping`, of the events that `filter` (an expression as
    /// `et-inspect --filter`) keeps. An expression that is none leaves what is shown.
    void show(std::shared_ptr<const inspector::EventBlocks> blocks, inspector::report::GroupBy grouping,
              const QString& filter);

    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] const ReportTableModel& model() const { return *content; }
    /// The chosen rows, or all where none is, as on screen.
    [[nodiscard]] QString text(inspector::report::Format format) const;

  signals:
    /// A group was double-clicked or Enter pressed on it.
    void opened(const QString& name);

  private:
    void fitColumns();

    ReportTableModel* content;
    QSortFilterProxyModel* proxy;
    QTreeView* rows;
    inspector::report::GroupBy shown = inspector::report::GroupBy::None;
};

}  // namespace et::visualizers

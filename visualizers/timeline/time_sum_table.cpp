#include "visualizers/timeline/time_sum_table.h"

#include "visualizers/toolkit/share_bar_delegate.h"
#include "visualizers/toolkit/table_view.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

#include <utility>

namespace et::visualizers {

TimeSumTable::TimeSumTable(const QString& title, const QString& countTitle, QWidget* parent)
    : QTreeView(parent),
      rows(new TimeSumModel(title, countTitle, this)),
      sorted(new QSortFilterProxyModel(this)) {
    sorted->setSourceModel(rows);
    sorted->setSortRole(TimeSumModel::SortRole);
    setModel(sorted);
    setRootIsDecorated(false);
    setMouseTracking(true);
    setItemDelegateForColumn(TimeSumModel::Share, new ShareBarDelegate(TimeSumModel::ShareRole, this));
    dressTable(*this);
    setSelectionMode(QAbstractItemView::SingleSelection);
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(TimeSumModel::Name, QHeaderView::Stretch);
    for (const int column : {TimeSumModel::Time, TimeSumModel::Share, TimeSumModel::Count}) {
        header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    setAccessibleName(title);
    const auto sumOf = [this](const QModelIndex& row) {
        return rows->sums()[static_cast<std::size_t>(sorted->mapToSource(row).row())];
    };
    // Uses the selection, because a table that receives the focus has a current row before anything is
    // selected.
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, sumOf] {
        const QModelIndexList picked = selectionModel()->selectedRows();
        if (!picked.isEmpty()) {
            emit rowChosen(sumOf(picked.front()));
        }
    });
    connect(this, &QAbstractItemView::entered, this,
            [this, sumOf](const QModelIndex& row) { emit rowHovered(sumOf(row)); });
}

void TimeSumTable::show(std::vector<TimeSum> sums, inspector::TimeScale scale) {
    rows->setSums(std::move(sums), scale);
}

void TimeSumTable::leaveEvent(QEvent* event) {
    emit rowHovered({});
    QTreeView::leaveEvent(event);
}

}  // namespace et::visualizers

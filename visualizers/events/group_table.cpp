#include "visualizers/events/group_table.h"

#include "visualizers/toolkit/share_bar_delegate.h"
#include "visualizers/toolkit/table_view.h"
#include "visualizers/toolkit/widgets.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int widestGroupColumn = 480;
constexpr int shareWidth = 140;

}  // namespace

GroupTable::GroupTable(QWidget* parent)
    : QWidget(parent),
      content(new ReportTableModel(this)),
      proxy(new QSortFilterProxyModel(this)),
      rows(new QTreeView(this)) {
    proxy->setSourceModel(content);
    proxy->setSortRole(ReportTableModel::SortRole);
    rows->setObjectName(QStringLiteral("groups"));
    rows->setModel(proxy);
    rows->setRootIsDecorated(false);
    rows->setItemDelegate(new ShareBarDelegate(ReportTableModel::ShareRole, rows));
    rows->header()->setStretchLastSection(false);
    dressTable(*rows);
    fillColumn(*this, {rows});
    setFocusProxy(rows);
    connect(rows, &QTreeView::activated, this, [this](const QModelIndex& row) {
        const int column = content->columnOf("operator");
        const QString part = column < 0 ? QString() : row.siblingAtColumn(column).data().toString();
        emit opened(part.isEmpty() ? row.siblingAtColumn(1).data().toString() : part);
    });
}

void GroupTable::show(std::shared_ptr<const inspector::EventBlocks> blocks,
                      inspector::events::GroupBy grouping, const QString& filter) {
    inspector::format::Table table;
    if (blocks) {
        inspector::events::EventTableOptions options;
        options.groupBy = grouping;
        options.filter = filter.toStdString();
        auto made = inspector::events::eventTable(*blocks, options);
        if (!made) {
            return;
        }
        table = *std::move(made);
    }
    const bool other = std::exchange(shown, grouping) != grouping || content->columnCount() == 0;
    content->setRows({.table = std::move(table)});
    if (other && content->columnCount() > 0) {
        fitColumns();
    }
}

void GroupTable::fitColumns() {
    visualizers::fitColumns(*rows, 2, widestGroupColumn);
    if (const int share = content->columnOf("share"); share >= 0) {
        rows->setColumnWidth(share, shareWidth);
    }
}

QString GroupTable::text(inspector::format::Format format) const {
    inspector::format::Table table;
    table.indexed = false;
    table.columns = content->rows().table.columns;
    QModelIndexList chosen = rows->selectionModel()->selectedRows();
    std::ranges::sort(chosen, {}, &QModelIndex::row);
    for (int row = 0; chosen.isEmpty() && row < proxy->rowCount(); ++row) {
        const QModelIndex source = proxy->mapToSource(proxy->index(row, 0));
        table.rows.push_back(content->rows().table.rows[static_cast<std::size_t>(source.row())]);
    }
    for (const QModelIndex& row : chosen) {
        table.rows.push_back(
            content->rows().table.rows[static_cast<std::size_t>(proxy->mapToSource(row).row())]);
    }
    return QString::fromStdString(inspector::format::render(table, format));
}

}  // namespace et::visualizers

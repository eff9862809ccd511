#include "visualizers/toolkit/table_view.h"

#include "visualizers/toolkit/cell_delegate.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>
#include <cstddef>

namespace et::visualizers {

void dressRows(QTreeView& table) {
    table.setUniformRowHeights(true);
    table.setAlternatingRowColors(true);
    table.setAllColumnsShowFocus(true);
    table.setFrameShape(QFrame::NoFrame);
}

void dressTable(QTreeView& table) {
    if (qobject_cast<CellDelegate*>(table.itemDelegate()) == nullptr) {
        table.setItemDelegate(new CellDelegate(&table));
    }
    dressRows(table);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.header()->setSortIndicatorClearable(true);
    table.header()->setSortIndicator(-1, Qt::AscendingOrder);
    table.setSortingEnabled(true);
}

void fitColumns(QTreeView& table, int padding, int widest) {
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        table.resizeColumnToContents(column);
        table.setColumnWidth(column, std::min(table.columnWidth(column) + padding, widest));
    }
}

void widenColumns(QTreeView& table, int most) {
    constexpr int padding = 6;
    const int widest = most * table.fontMetrics().averageCharWidth();
    for (int column = 0; column < table.header()->count(); ++column) {
        if (!table.isColumnHidden(column)) {
            const int before = table.columnWidth(column);
            table.resizeColumnToContents(column);
            table.setColumnWidth(column,
                                 std::max(before, std::min(table.columnWidth(column) + padding, widest)));
        }
    }
}

void setColumnWidths(QTreeView& table, std::span<const int> letters) {
    const int letter = table.fontMetrics().averageCharWidth();
    for (std::size_t column = 0; column < letters.size(); ++column) {
        table.setColumnWidth(static_cast<int>(column), letters[column] * letter);
    }
}

}  // namespace et::visualizers

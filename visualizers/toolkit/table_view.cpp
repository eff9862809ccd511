#include "visualizers/toolkit/table_view.h"

#include "visualizers/toolkit/cell_delegate.h"

#include <QHeaderView>
#include <QTreeView>

namespace et::visualizers {

void dressTable(QTreeView& table) {
    if (qobject_cast<CellDelegate*>(table.itemDelegate()) == nullptr) {
        table.setItemDelegate(new CellDelegate(&table));
    }
    table.setUniformRowHeights(true);
    table.setAlternatingRowColors(true);
    table.setAllColumnsShowFocus(true);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setFrameShape(QFrame::NoFrame);
    table.header()->setSortIndicatorClearable(true);
    table.header()->setSortIndicator(-1, Qt::AscendingOrder);
    table.setSortingEnabled(true);
}

}  // namespace et::visualizers

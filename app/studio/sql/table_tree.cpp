#include "app/studio/sql/table_tree.h"

#include "inspector/store/session/session_tables.h"
#include "visualizers/toolkit/text.h"

#include <QHeaderView>
#include <QTreeWidget>

namespace et::studio {

using inspector::store::SessionColumn;
using inspector::store::SessionTable;

QTreeWidget* createTableTree(QWidget* parent) {
    auto* const tree = new QTreeWidget(parent);
    tree->setObjectName(QStringLiteral("sqlTables"));
    tree->setHeaderLabels({QStringLiteral("Table"), QStringLiteral("Type")});
    tree->setUniformRowHeights(true);
    tree->setFrameShape(QFrame::NoFrame);
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    for (const SessionTable& table : inspector::store::sessionTables()) {
        auto* const parentItem = new QTreeWidgetItem(tree, {visualizers::toQString(table.name)});
        parentItem->setToolTip(0, visualizers::toQString(table.meaning));
        for (const SessionColumn& column : table.columns) {
            auto* const item = new QTreeWidgetItem(
                parentItem, {visualizers::toQString(column.name),
                             visualizers::toQString(columnTypeName(column.type)).toLower()});
            item->setToolTip(0, visualizers::toQString(column.meaning));
        }
    }
    return tree;
}

}  // namespace et::studio

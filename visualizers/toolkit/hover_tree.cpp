#include "visualizers/toolkit/hover_tree.h"

#include <QEvent>
#include <QPainter>

namespace et::visualizers {

HoverTree::HoverTree(QWidget* parent) : QTreeView(parent) {
    setMouseTracking(true);
}

void HoverTree::setGlowing(const QModelIndex& row) {
    const QPersistentModelIndex now = row.isValid() ? row.siblingAtColumn(0) : QModelIndex();
    if (now != lit) {
        updateRow();
        lit = now;
        updateRow();
    }
}

void HoverTree::updateRow() {
    if (lit.isValid()) {
        QRect line = visualRect(lit);
        line.setLeft(0);
        line.setRight(viewport()->width());
        viewport()->update(line);
    }
}

void HoverTree::drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    QTreeView::drawRow(painter, option, index);
    if (lit.isValid() && index.siblingAtColumn(0) == lit) {
        painter->save();
        painter->setPen(option.palette.color(QPalette::Highlight));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }
}

bool HoverTree::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        emit pointerLeft();
    }
    return QTreeView::viewportEvent(event);
}

}  // namespace et::visualizers

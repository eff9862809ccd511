#include "visualizers/toolkit/share_bar_delegate.h"

#include <QPainter>

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr int barMargin = 2;
constexpr int barAlpha = 90;
constexpr int selectedBarAlpha = 30;  // keeps the number on it readable

/// Bar colour that is visible on plain, striped and selected rows of a light or dark palette.
QColor barColour(const QStyleOptionViewItem& option) {
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    QColor colour = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Highlight);
    colour.setAlpha(selected ? selectedBarAlpha : barAlpha);
    return colour;
}

}  // namespace

ShareBarDelegate::ShareBarDelegate(int shareRole, QObject* parent) : CellDelegate(parent), role(shareRole) {
}

void ShareBarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    bool known = false;
    const double share = index.data(role).toDouble(&known);
    if (!known) {
        CellDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    paintPanel(painter, item);

    QRectF bar = QRectF(option.rect).adjusted(barMargin, barMargin, -barMargin, -barMargin);
    bar.setWidth(std::max(bar.width(), 0.0) * std::clamp(share, 0.0, 1.0));
    painter->fillRect(bar, barColour(option));

    item.displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
    paintText(painter, item);
}

}  // namespace et::visualizers

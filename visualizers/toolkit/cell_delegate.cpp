#include "visualizers/toolkit/cell_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

namespace et::visualizers {

namespace {

const QStyle& styleOf(const QStyleOptionViewItem& item) {
    return item.widget != nullptr ? *item.widget->style() : *QApplication::style();
}

bool isPlainLine(const QStyleOptionViewItem& item) {
    using Feature = QStyleOptionViewItem::ViewItemFeature;
    const auto more = Feature::HasDecoration | Feature::HasCheckIndicator | Feature::WrapText;
    return !(item.features & more) && !item.text.contains(QChar::LineSeparator);
}

QPalette::ColorGroup groupOf(const QStyleOptionViewItem& item) {
    return !item.state.testFlag(QStyle::State_Enabled) ? QPalette::Disabled
           : item.state.testFlag(QStyle::State_Active) ? QPalette::Active
                                                       : QPalette::Inactive;
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    if (isPlainLine(item)) {
        paintPanel(painter, item);
        paintText(painter, item);
    } else {
        styleOf(item).drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    }
}

void CellDelegate::paintPanel(QPainter* painter, QStyleOptionViewItem item) {
    item.text.clear();
    item.features.setFlag(QStyleOptionViewItem::HasDisplay, false);
    styleOf(item).drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
}

void CellDelegate::paintText(QPainter* painter, const QStyleOptionViewItem& item) const {
    if (item.text.isEmpty()) {
        return;
    }
    // Same text position as in QCommonStyle.
    const int margin = styleOf(item).pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, item.widget) + 1;
    const QRect room = item.rect.adjusted(margin, 0, -margin, 0);
    const QStaticText& line =
        texts.line(item.text, room.width(), item.font, item.direction, item.textElideMode);
    const QRect place = QStyle::alignedRect(item.direction, item.displayAlignment,
                                            line.size().toSize().boundedTo(room.size()), room);
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(item.palette.color(groupOf(item), selected ? QPalette::HighlightedText : QPalette::Text));
    painter->drawStaticText(place.topLeft(), line);
    painter->restore();
}

}  // namespace et::visualizers

#include "visualizers/lab/scheme_delegate.h"

#include "visualizers/lab/site_model.h"

#include <QApplication>
#include <QComboBox>
#include <QPainter>
#include <QStyle>
#include <QTimer>

namespace et::visualizers {

namespace {

constexpr int schemeArrow = 14;  // pixels

}  // namespace

void SchemeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    CellDelegate::paint(painter, option, index);
    if (!index.flags().testFlag(Qt::ItemIsEditable)) {
        return;
    }
    QStyleOption arrow;
    arrow.palette = option.palette;
    arrow.state = option.state;
    arrow.direction = option.direction;
    const QRect place(option.rect.right() - schemeArrow, option.rect.top(), schemeArrow,
                      option.rect.height());
    arrow.rect = QStyle::visualRect(option.direction, option.rect, place);
    const QStyle& style = option.widget != nullptr ? *option.widget->style() : *QApplication::style();
    style.drawPrimitive(QStyle::PE_IndicatorArrowDown, &arrow, painter, option.widget);
}

QSize SchemeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return CellDelegate::sizeHint(option, index) + QSize(schemeArrow, 0);
}

QWidget* SchemeDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                      const QModelIndex& index) const {
    auto* const box = new QComboBox(parent);
    box->setAccessibleName(QStringLiteral("Scheme"));
    box->addItems(index.data(SiteModel::SchemesRole).toStringList());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): Qt has factories const, and signals not
    auto* const self = const_cast<SchemeDelegate*>(this);
    connect(box, &QComboBox::activated, self, [self, box] {
        emit self->commitData(box);
        emit self->closeEditor(box);
    });
    QTimer::singleShot(0, box, [box] {  // after it has been placed over its cell
        if (box->isVisible()) {
            box->showPopup();
        }
    });
    return box;
}

void SchemeDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    qobject_cast<QComboBox*>(editor)->setCurrentText(index.data(Qt::EditRole).toString());
}

void SchemeDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                  const QModelIndex& index) const {
    model->setData(index, qobject_cast<QComboBox*>(editor)->currentText(), Qt::EditRole);
}

}  // namespace et::visualizers

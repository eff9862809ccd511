#pragma once

#include "visualizers/toolkit/cell_delegate.h"

namespace et::visualizers {

/// Scheme cell: a text with a combo box arrow that opens as a combo box for editing.
class SchemeDelegate : public CellDelegate {
    Q_OBJECT

  public:
    using CellDelegate::CellDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

}  // namespace et::visualizers

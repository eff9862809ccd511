#pragma once

#include "visualizers/toolkit/text_layout_cache.h"

#include <QStyledItemDelegate>

namespace et::visualizers {

/// Paints cells like Qt, but lays out each text once instead of three times per frame.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

  protected:
    /// Paints the background of an item that initStyleOption() has filled.
    static void paintPanel(QPainter* painter, QStyleOptionViewItem item);
    /// Paints its text on one line.
    void paintText(QPainter* painter, const QStyleOptionViewItem& item) const;

  private:
    mutable TextLayoutCache texts;
};

}  // namespace et::visualizers

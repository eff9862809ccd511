#pragma once

#include "visualizers/toolkit/kept_texts.h"

#include <QStyledItemDelegate>

namespace et::visualizers {

/// Paints cells as Qt does, but lays out the letters of a text once and not three times a frame.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

  protected:
    /// What is behind the text of an item that initStyleOption() has filled.
    static void paintPanel(QPainter* painter, QStyleOptionViewItem item);
    /// Its text, in one line.
    void paintText(QPainter* painter, const QStyleOptionViewItem& item) const;

  private:
    mutable KeptTexts texts;
};

}  // namespace et::visualizers

#pragma once

#include "visualizers/toolkit/cell_delegate.h"

namespace et::visualizers {

/// Paints a bar behind the text of a cell, as long as its share (0 to 1) from the role `shareRole`; a cell
/// without a share is painted as usual.
class ShareBarDelegate : public CellDelegate {
    Q_OBJECT

  public:
    explicit ShareBarDelegate(int shareRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

  private:
    int role;
};

}  // namespace et::visualizers

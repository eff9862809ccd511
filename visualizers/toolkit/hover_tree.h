#pragma once

#include <QPersistentModelIndex>
#include <QTreeView>

namespace et::visualizers {

/// A tree with one highlighted row, under the pointer in this view or another.
class HoverTree : public QTreeView {
    Q_OBJECT

  public:
    explicit HoverTree(QWidget* parent = nullptr);

    /// Any column; an invalid index clears the highlight.
    void setGlowing(const QModelIndex& row);
    [[nodiscard]] QModelIndex glowing() const { return lit; }

  signals:
    /// Emitted when the pointer leaves the rows; entered() reports rows under the pointer.
    void pointerLeft();

  protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    bool viewportEvent(QEvent* event) override;

  private:
    void updateRow();

    QPersistentModelIndex lit;
};

}  // namespace et::visualizers

#pragma once

#include <QPersistentModelIndex>
#include <QTreeView>

namespace et::visualizers {

/// A tree of which one row glows: what the pointer is over, in this view or in another.
class GlowingTree : public QTreeView {
    Q_OBJECT

  public:
    explicit GlowingTree(QWidget* parent = nullptr);

    /// Of any column; an invalid index: none glows.
    void setGlowing(const QModelIndex& row);
    [[nodiscard]] QModelIndex glowing() const { return lit; }

  signals:
    /// The pointer is over no row any more; entered() told of those that it was over.
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

#pragma once

#include <QAbstractItemModel>

#include <cstddef>

namespace et::visualizers {

/// Identifies a row of a tree by a number chosen by its model. Stable until the model is reset.
using TreeNode = quintptr;
/// The parent of all top-level rows.
inline constexpr TreeNode treeRoot = 0;

/// Implements QAbstractItemModel for trees: a subclass provides children, parents and cell data. Only first
/// columns have children.
class TreeModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    using QAbstractItemModel::QAbstractItemModel;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const final;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const final;

  protected:
    [[nodiscard]] virtual int columns() const = 0;
    [[nodiscard]] virtual std::size_t rowsBelow(TreeNode node) const = 0;
    /// The child of `node` at this position; never treeRoot.
    [[nodiscard]] virtual TreeNode nodeBelow(TreeNode node, std::size_t place) const = 0;
    /// treeRoot for top-level rows.
    [[nodiscard]] virtual TreeNode nodeAbove(TreeNode node) const = 0;
    /// Position among its siblings.
    [[nodiscard]] virtual std::size_t placeAmongSiblings(TreeNode node) const = 0;
    [[nodiscard]] virtual QVariant cellData(TreeNode node, int column, int role) const = 0;
    /// Header data of a column.
    [[nodiscard]] virtual QVariant titleData(int column, int role) const = 0;

    /// treeRoot for an invalid index.
    [[nodiscard]] static TreeNode nodeOf(const QModelIndex& index) {
        return index.isValid() ? index.internalId() : treeRoot;
    }
    [[nodiscard]] QModelIndex indexOfNode(TreeNode node, int column = 0) const;
};

/// A tree of two levels, such as blocks with their events: a subclass provides the number of rows.
class TwoLevelModel : public TreeModel {
    Q_OBJECT

  public:
    using TreeModel::TreeModel;

  protected:
    [[nodiscard]] virtual std::size_t topRows() const = 0;
    [[nodiscard]] virtual std::size_t rowsBelowTop(std::size_t top) const = 0;

    [[nodiscard]] static TreeNode topNode(std::size_t top) { return top + 1; }
    [[nodiscard]] static TreeNode lowNode(std::size_t top, std::size_t row) {
        return topNode(top) | static_cast<TreeNode>(row + 1) << lowShift;
    }
    [[nodiscard]] static bool isTop(TreeNode node) { return node >> lowShift == 0; }
    /// The index of the top-level row that the node is or belongs to.
    [[nodiscard]] static std::size_t topOf(TreeNode node) { return (node & topMask) - 1; }
    /// The position below its top-level row; not valid for a top-level row.
    [[nodiscard]] static std::size_t lowOf(TreeNode node) { return (node >> lowShift) - 1; }

  private:
    static_assert(sizeof(TreeNode) == 8);
    static constexpr unsigned lowShift = 32;
    static constexpr TreeNode topMask = (TreeNode{1} << lowShift) - 1;

    [[nodiscard]] std::size_t rowsBelow(TreeNode node) const final;
    [[nodiscard]] TreeNode nodeBelow(TreeNode node, std::size_t place) const final;
    [[nodiscard]] TreeNode nodeAbove(TreeNode node) const final;
    [[nodiscard]] std::size_t placeAmongSiblings(TreeNode node) const final;
};

}  // namespace et::visualizers

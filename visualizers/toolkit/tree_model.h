#pragma once

#include <QAbstractItemModel>

#include <cstddef>

namespace et::visualizers {

/// A row of a tree by a number that its model chooses. It stays the row's as long as the model is not reset.
using TreeNode = quintptr;
/// What is above all rows.
inline constexpr TreeNode treeRoot = 0;

/// A tree as Qt wants it, once: a model says what is below a row and what is above it, and what a cell shows.
/// Only first columns have rows below.
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
    /// Of the row at a place below `node`; never treeRoot.
    [[nodiscard]] virtual TreeNode nodeBelow(TreeNode node, std::size_t place) const = 0;
    /// treeRoot for rows of the top.
    [[nodiscard]] virtual TreeNode nodeAbove(TreeNode node) const = 0;
    /// Among the rows below the same one.
    [[nodiscard]] virtual std::size_t placeAmongSiblings(TreeNode node) const = 0;
    [[nodiscard]] virtual QVariant cellData(TreeNode node, int column, int role) const = 0;
    /// Of the header above a column.
    [[nodiscard]] virtual QVariant titleData(int column, int role) const = 0;

    /// treeRoot for an index that is none.
    [[nodiscard]] static TreeNode nodeOf(const QModelIndex& index) {
        return index.isValid() ? index.internalId() : treeRoot;
    }
    [[nodiscard]] QModelIndex indexOfNode(TreeNode node, int column = 0) const;
};

/// A tree of two levels, like blocks with their events: a model says how many there are of each.
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
    /// The row of the top that it is, or is below of.
    [[nodiscard]] static std::size_t topOf(TreeNode node) { return (node & topMask) - 1; }
    /// Its place below that one; not for a row of the top.
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

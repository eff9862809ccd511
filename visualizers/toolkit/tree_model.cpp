#include "visualizers/toolkit/tree_model.h"

namespace et::visualizers {

QModelIndex TreeModel::indexOfNode(TreeNode node, int column) const {
    return node == treeRoot ? QModelIndex()
                            : createIndex(static_cast<int>(placeAmongSiblings(node)), column, node);
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= columns()) {
        return {};
    }
    return createIndex(row, column, nodeBelow(nodeOf(parent), static_cast<std::size_t>(row)));
}

QModelIndex TreeModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOfNode(nodeAbove(child.internalId())) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(rowsBelow(nodeOf(parent)));
}

int TreeModel::columnCount(const QModelIndex&) const {
    return columns();
}

QVariant TreeModel::data(const QModelIndex& index, int role) const {
    return checkIndex(index, CheckIndexOption::IndexIsValid)
               ? cellData(index.internalId(), index.column(), role)
               : QVariant();
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return orientation == Qt::Horizontal && section >= 0 && section < columns() ? titleData(section, role)
                                                                                : QVariant();
}

std::size_t TwoLevelModel::rowsBelow(TreeNode node) const {
    if (node == treeRoot) {
        return topRows();
    }
    return isTop(node) ? rowsBelowTop(topOf(node)) : 0;
}

TreeNode TwoLevelModel::nodeBelow(TreeNode node, std::size_t place) const {
    return node == treeRoot ? topNode(place) : lowNode(topOf(node), place);
}

TreeNode TwoLevelModel::nodeAbove(TreeNode node) const {
    return isTop(node) ? treeRoot : topNode(topOf(node));
}

std::size_t TwoLevelModel::placeAmongSiblings(TreeNode node) const {
    return isTop(node) ? topOf(node) : lowOf(node);
}

}  // namespace et::visualizers

#pragma once

#include "inspector/numeric_gap/gap_report.h"
#include "visualizers/toolkit/flame_scene.h"
#include "visualizers/toolkit/tree_model.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The model as a tree of modules and the operators in them, each with its time, the bytes that
/// it writes where the program is known, and its error where the numeric gap is.
class OutlineModel : public TreeModel {
    Q_OBJECT

  public:
    enum Column : int { Name, Time, Bytes, Error };
    static constexpr int columnTotal = Error + 1;
    enum Role : int {
        ShareRole =
            Qt::UserRole,  ///< double, 0 to 1: part of the run's time or bytes, or of the largest error
        SortRole,          ///< QString or double
    };

    using TreeModel::TreeModel;

    /// Null empties it.
    void setScene(std::shared_ptr<const FlameScene> shown);
    /// By node, as writtenBytes() has them; empty: they are not known.
    void setBytes(std::vector<std::uint64_t> byNode);
    [[nodiscard]] bool hasBytes() const { return !bytes.empty() && bytes.front() > 0; }
    /// Null: it is not known.
    void setGap(const inspector::GapReport* report);

    [[nodiscard]] const FlameScene* content() const { return scene.get(); }
    /// The node of the tree that a row is; nothing for no row.
    [[nodiscard]] std::optional<std::size_t> nodeAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOfTreeNode(std::size_t node) const { return indexOfNode(node + 1); }
    /// From the root down, always to what takes most.
    [[nodiscard]] std::vector<std::size_t> hotPath() const;

  private:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] std::size_t rowsBelow(TreeNode node) const override;
    [[nodiscard]] TreeNode nodeBelow(TreeNode node, std::size_t place) const override;
    [[nodiscard]] TreeNode nodeAbove(TreeNode node) const override;
    [[nodiscard]] std::size_t placeAmongSiblings(TreeNode node) const override;
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override;
    [[nodiscard]] QVariant titleData(int column, int role) const override;
    [[nodiscard]] QString textOf(std::size_t node, int column) const;
    void placeNodes();

    std::shared_ptr<const FlameScene> scene;
    std::vector<std::size_t> places;            ///< among siblings, by node
    std::vector<std::uint64_t> bytes;           ///< that are written in a node; empty: unknown
    std::vector<std::optional<double>> errors;  ///< the worst of a node and below it
    double largestError = 0;
};

}  // namespace et::visualizers

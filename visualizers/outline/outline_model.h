#pragma once

#include "inspector/numeric_gap/gap_report.h"
#include "visualizers/outline/outline_bytes.h"
#include "visualizers/toolkit/flame_scene.h"
#include "visualizers/toolkit/tree_model.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// The model as a tree of modules and their operators with time, bytes written (if the program is known) and
/// error (if the numeric gap is known).
class OutlineModel : public TreeModel {
    Q_OBJECT

  public:
    enum Column : int { Name, Time, Bytes, Error };
    static constexpr int columnTotal = Error + 1;
    enum Role : int {
        ShareRole = Qt::UserRole,  ///< double from 0 to 1: fraction of the run's time or bytes, or of the
                                   ///< largest error
        SortRole,                  ///< QString or double
    };

    using TreeModel::TreeModel;

    /// Null empties the model.
    void setScene(std::shared_ptr<const FlameScene> shown);
    /// From writtenBytes().
    void setBytes(WrittenBytes written);
    [[nodiscard]] bool hasBytes() const { return !bytes.byNode.empty() && bytes.byNode.front() > 0; }
    /// Null: unknown.
    void setGap(const inspector::GapReport* report);

    [[nodiscard]] const FlameScene* content() const { return scene.get(); }
    /// The tree node of a row; nothing for an invalid index.
    [[nodiscard]] std::optional<std::size_t> nodeAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOfTreeNode(std::size_t node) const { return indexOfNode(node + 1); }
    /// From the root down, always to the child with the most time.
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
    std::vector<std::size_t> places;  ///< position among siblings, by node
    WrittenBytes bytes;
    std::vector<std::optional<double>> errors;  ///< largest error of a node and its descendants
    double largestError = 0;
};

}  // namespace et::visualizers

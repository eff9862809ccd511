#pragma once

#include "inspector/format/table.h"
#include "visualizers/toolkit/tree_model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace et::visualizers {

/// Display format of a column's numbers; copies are unformatted.
enum class NumberStyle : std::uint8_t {
    Plain,
    Bytes,   ///< "1.5 MiB"
    Percent  ///< from 0 to 100: "12.5 %"
};

/// Rows of a report, optionally nested.
struct ReportRows {
    inspector::format::Table table;
    std::vector<NumberStyle> styles{};                  ///< by column; missing entries are Plain
    std::vector<std::optional<std::size_t>> parents{};  ///< by row, index of an earlier row; empty: no
                                                        ///< nesting
};

/// Model of a report for a tree view. Rows are identified by their position in the report.
class ReportTableModel : public TreeModel {
    Q_OBJECT

  public:
    enum Role : int {
        SortRole = Qt::UserRole,  ///< double or QString; invalid if a cell has no value
        RowRole,                  ///< qulonglong: position in the report
        ShareRole,                ///< double from 0 to 1 in the column "share": Table::heat of the row
    };

    using TreeModel::TreeModel;

    void setRows(ReportRows shown);
    [[nodiscard]] const ReportRows& rows() const { return content; }
    [[nodiscard]] QModelIndex indexOf(std::size_t row) const;
    /// The column with this id; -1 if the report has none.
    [[nodiscard]] int columnOf(std::string_view id) const;

  private:
    // A node id is a row's position in the report plus one.
    [[nodiscard]] int columns() const override { return static_cast<int>(content.table.columns.size()); }
    [[nodiscard]] std::size_t rowsBelow(TreeNode node) const override { return below(node).size(); }
    [[nodiscard]] TreeNode nodeBelow(TreeNode node, std::size_t place) const override;
    [[nodiscard]] TreeNode nodeAbove(TreeNode node) const override;
    [[nodiscard]] std::size_t placeAmongSiblings(TreeNode node) const override { return places[node - 1]; }
    [[nodiscard]] QVariant cellData(TreeNode node, int column, int role) const override;
    [[nodiscard]] QVariant titleData(int column, int role) const override;
    [[nodiscard]] const std::vector<std::size_t>& below(TreeNode node) const;
    [[nodiscard]] const inspector::format::Cell& cell(TreeNode node, int column) const;
    [[nodiscard]] QString text(TreeNode node, int column, NumberStyle style) const;
    [[nodiscard]] NumberStyle styleOf(int column) const;

    ReportRows content;
    std::vector<std::size_t> top;                    ///< top-level rows
    std::vector<std::vector<std::size_t>> children;  ///< by row
    std::vector<std::size_t> places;                 ///< by row: position among its siblings
};

}  // namespace et::visualizers

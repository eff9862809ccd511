#pragma once

#include "inspector/format/table.h"
#include "visualizers/toolkit/hover_tree.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

class GapFilter;
class GapModel;

/// The operators of a gap as a filtered table. Rows are those of the report.
class GapTable : public HoverTree {
    Q_OBJECT

  public:
    explicit GapTable(QWidget* parent);

    [[nodiscard]] GapModel& rows() { return *source; }
    [[nodiscard]] GapFilter& filter() { return *proxy; }
    /// Returns the row of a cell of this table; nothing for an invalid index.
    [[nodiscard]] std::optional<std::size_t> rowOf(const QModelIndex& index) const;
    [[nodiscard]] std::optional<std::size_t> currentRow() const { return rowOf(currentIndex()); }
    /// Makes a row current and scrolls to it, unless it is filtered out.
    void setCurrentRow(std::size_t row);
    /// Highlights the row under the pointer in any view; nothing: none.
    void setGlowingRow(std::optional<std::size_t> row);
    /// True for rows that pass the filter; empty if all do.
    [[nodiscard]] std::vector<bool> keptRows() const;
    /// Shows the columns that have content.
    void showColumns();
    /// The selected rows in screen order, with all digits.
    [[nodiscard]] QString selectedText(inspector::format::Format format) const;

  private:
    GapModel* source;
    GapFilter* proxy;
};

}  // namespace et::visualizers

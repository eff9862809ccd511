#pragma once

#include "visualizers/toolkit/report_table_model.h"

#include <QWidget>

#include <cstddef>
#include <optional>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedLayout;
class QTreeView;

namespace et::visualizers {

/// A report as a sortable, filterable table or tree with copying. Its keys work while it has the focus.
class ReportTable : public QWidget {
    Q_OBJECT

  public:
    explicit ReportTable(QWidget* parent = nullptr);

    void setRows(ReportRows rows);
    /// Fits columns to the visible content after rows have been expanded or collapsed.
    void fitColumns();
    /// Text shown instead of an empty table.
    void setHint(const QString& text);
    /// Filters rows by text; a matching row keeps all of its descendants.
    void setFilter(const QString& text);
    /// Makes a row current and shows it, without a signal; nothing: clears the current row.
    void choose(std::optional<std::size_t> row);

    [[nodiscard]] ReportTableModel& model() { return *source; }
    [[nodiscard]] QTreeView& view() { return *tree; }
    [[nodiscard]] std::optional<std::size_t> currentRow() const;
    /// The selected rows, or all visible ones, as a table for format::render().
    [[nodiscard]] inspector::format::Table shownRows() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    /// Emitted when the user makes a row current.
    void rowChosen(std::size_t row);

  private:
    class Tree;

    void createActions();
    void showCurrent(const QModelIndex& current);
    void collect(const QModelIndex& parent, bool selectedOnly, inspector::format::Table& into) const;

    ReportTableModel* source;
    QSortFilterProxyModel* proxy;
    QStackedLayout* pages;
    QTreeView* tree;
    QLabel* hint;
    bool choosing = false;
    QByteArray widths;  ///< column state from before the current rows; empty: unknown
    int widthsOf = 0;   ///< number of columns in `widths`; 0: unknown, such as for a saved state
};

}  // namespace et::visualizers

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

/// A report as a table (or tree) that sorts, filters and copies. Keys work while it has the focus.
class ReportTable : public QWidget {
    Q_OBJECT

  public:
    explicit ReportTable(QWidget* parent = nullptr);

    void setRows(ReportRows rows);
    /// Makes columns as wide as what is on show, once rows are open or closed.
    void fitColumns();
    /// What is said instead of an empty table.
    void setHint(const QString& text);
    /// The texts that rows are filtered by; a row stays with all that is below it.
    void setFilter(const QString& text);
    /// Makes a row the current one and shows it, without a signal; nothing: none is.
    void choose(std::optional<std::size_t> row);

    [[nodiscard]] ReportTableModel& model() { return *source; }
    [[nodiscard]] QTreeView& view() { return *tree; }
    [[nodiscard]] std::optional<std::size_t> currentRow() const;
    /// The chosen rows, or else all that are shown, as a table for report::render().
    [[nodiscard]] inspector::report::Table shownRows() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    /// A person made it the current one.
    void rowChosen(std::size_t row);

  private:
    void createActions();
    void showCurrent(const QModelIndex& current);
    void collect(const QModelIndex& parent, bool selectedOnly, inspector::report::Table& into) const;

    ReportTableModel* source;
    QSortFilterProxyModel* proxy;
    QStackedLayout* pages;
    QTreeView* tree;
    QLabel* hint;
    bool choosing = false;
    QByteArray widths;  ///< of the columns, from before the rows of now; empty: not known yet
    int widthsOf = 0;   ///< so many columns; 0: nobody knows, as in what another start kept
};

}  // namespace et::visualizers

#pragma once

#include "inspector/numeric_gap/gap_report.h"

#include <QWidget>

#include <memory>
#include <optional>

class QAction;
class QComboBox;
class QLineEdit;
class QToolBar;

namespace et::visualizers {

class GapPlot;
class GapTable;
class Results;
class Selection;
class Splitter;

/// The gap of the selection: a plot of all operators next to their table, with one current row. Follows the
/// selected debug handles and selects those of its row. With several input sets, a box selects one or the
/// worst of all. A stale gap is pale.
class GapView : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    GapView(Selection& selection, Results& computed, QWidget* parent = nullptr);

    [[nodiscard]] GapPlot& plot() { return *graph; }
    [[nodiscard]] GapTable& table() { return *list; }
    /// Current row of the report.
    [[nodiscard]] std::optional<std::size_t> currentRow() const;
    void setCurrentRow(std::size_t row);
    void focusFilter();

    /// Visible range and quantity of the plot; empty without a gap.
    [[nodiscard]] QByteArray viewState() const;
    void restoreView(const QByteArray& state);

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

  signals:
    void currentRowChanged();
    void viewMoved();

  private:
    void createTools();
    void createSets();
    void showReport();
    void fillSets();
    void reselect(const inspector::GapOperator& row);
    void chooseFirst();
    void fillQuantities();
    void showQuantity();
    void showKept();
    void takeRow(const QModelIndex& index);
    void followSelection();
    void showInOtherPanels();

    Selection& chosen;
    Results& results;
    QToolBar* tools;
    QComboBox* quantities;
    QComboBox* sets;
    QAction* setsAction = nullptr;  ///< its action in the tool bar
    QAction* nextSetAction = nullptr;
    QLineEdit* filter;
    QAction* divergingOnly = nullptr;
    Splitter* splitter;
    GapPlot* graph;
    GapTable* list;
    std::shared_ptr<const inspector::GapReport> whole;  ///< full report, of which a part is shown
    QString wantedQuantity;                             ///< chosen by the user; empty: none yet
    QByteArray wantedView;                              ///< to restore once there is a gap; empty: none
    bool following = false;                             ///< the current change comes from the selection
};

}  // namespace et::visualizers

#pragma once

#include "inspector/format/table.h"
#include "visualizers/compare/comparison_model.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QAction;
class QLabel;
class QLineEdit;
class QToolBar;
class QTabWidget;
class QTreeView;

namespace et::visualizers {

class OverlaidHistograms;
class ScatterPlot;
class Selection;
class WaterfallPlot;

/// Side of the comparison that is the open trace.
enum class OpenSide : std::uint8_t { A, B };

/// The headline of a comparison, its table with a filter above it and plots next to it: the distributions of
/// the current row, a waterfall from A's total to B's by operator and by module, and a scatter plot of A
/// against B. Choosing a row sets its operator in the selection.
class ComparisonTable : public QWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the view.
    explicit ComparisonTable(Selection& selection, QWidget* parent = nullptr);

    /// Same as ComparisonModel::setComparison(); rows select operators of the side that is the open trace.
    void setComparison(std::shared_ptr<const inspector::Comparison> compared, inspector::TimeScale unit,
                       OpenSide open = OpenSide::A);

    [[nodiscard]] ComparisonModel& model() { return *pairs; }
    [[nodiscard]] QTreeView& table() { return *rows; }
    [[nodiscard]] QLineEdit& filterBox() { return *filter; }
    [[nodiscard]] OverlaidHistograms& histograms() { return *distributions; }
    /// Inserts tools of a panel before the view's own.
    void insertTools(const QList<QAction*>& actions);
    void insertTool(QWidget* widget);

  private:
    class DecidedFilter;

    void createTools();
    void createTable();
    void createPictures(QWidget& side);
    void showRow(const QModelIndex& row);
    void showMethod(std::size_t method);
    void chooseRow(std::size_t row);
    [[nodiscard]] QString copied(inspector::format::Format format) const;
    void jump(int step);

    Selection& chosen;
    OpenSide openSide = OpenSide::A;
    ComparisonModel* pairs;
    DecidedFilter* proxy;
    QLabel* summary;
    QToolBar* tools;
    QLineEdit* filter;
    QAction* filterPlace = nullptr;
    QAction* decidedOnly = nullptr;
    QTreeView* rows;
    QLabel* title;
    OverlaidHistograms* distributions;
    QTabWidget* pictures;
    WaterfallPlot* byOperator = nullptr;
    WaterfallPlot* byModule = nullptr;
    ScatterPlot* scatter = nullptr;
    std::optional<std::size_t> shownMethod;  ///< method shown by the last three
};

}  // namespace et::visualizers

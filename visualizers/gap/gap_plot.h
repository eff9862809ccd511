#pragma once

#include "inspector/numeric_gap/gap_report.h"
#include "visualizers/gap/gap_axis.h"
#include "visualizers/gap/gap_quantity.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A quantity of every operator in execution order: worse is higher, on a logarithmic scale. Circles are
/// operators, squares whole calls of delegates. The first divergence is marked. W and S (or the wheel) zoom,
/// A and D pan, arrow keys and clicks choose an operator.
class GapPlot : public QWidget {
    Q_OBJECT

  public:
    explicit GapPlot(QWidget* parent = nullptr);

    /// Null shows nothing.
    void setReport(std::shared_ptr<const inspector::GapReport> shown);
    /// One of gapQuantities().
    void setQuantity(const GapQuantity& shown);
    /// Rows that are painted in full, one each; the others are pale. Empty: all.
    void setKept(std::vector<bool> rows);
    /// Paints all rows pale: the report is no longer of what is open.
    void setPale(bool stale);
    void setCurrent(std::optional<std::size_t> row);

    [[nodiscard]] std::optional<std::size_t> current() const { return chosen; }
    [[nodiscard]] const ZoomRange& range() const { return window; }
    /// Where the marks are, in pixels of the widget.
    [[nodiscard]] QRectF plotArea() const;
    /// Where the mark of a row is; nothing where it has no number, or is not on screen.
    [[nodiscard]] std::optional<QPointF> markOf(std::size_t row, std::size_t series = 0) const;
    [[nodiscard]] QString hoverText(std::size_t row) const;

    [[nodiscard]] QSize sizeHint() const override { return {520, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

  signals:
    void rowChosen(std::size_t row);
    /// By a double click, or the return key: to be shown in other rooms.
    void rowActivated(std::size_t row);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

  private:
    void createActions();
    void addKeyed(const QString& text, const QKeySequence& key, const std::function<void()>& act);
    void zoom(double factor);
    void pan(double part);
    void fitAll();
    void bringIntoView(std::size_t row);
    void step(int by);
    void choose(std::optional<std::size_t> row);
    void goToFirstDivergence();

    [[nodiscard]] std::size_t rowCount() const { return report ? report->rows.size() : 0; }
    [[nodiscard]] bool isKept(std::size_t row) const { return kept.empty() || kept[row]; }
    [[nodiscard]] bool isFull(std::size_t row) const { return !pale && isKept(row); }
    [[nodiscard]] double spacing() const;
    [[nodiscard]] double xOf(double row) const;
    [[nodiscard]] std::optional<std::size_t> rowAt(double x) const;
    [[nodiscard]] std::pair<std::size_t, std::size_t> visibleRows() const;
    void paintGrid(QPainter& painter) const;
    void paintCurrent(QPainter& painter) const;
    void paintSeries(QPainter& painter, std::size_t series) const;
    void paintMark(QPainter& painter, std::size_t row, std::size_t series) const;
    void paintDivergence(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void paintPlaces(QPainter& painter) const;

    std::shared_ptr<const inspector::GapReport> report;
    const GapQuantity* quantity;
    GapAxis axis;
    std::vector<std::vector<std::optional<double>>> places;  ///< on the axis, by series and row
    std::vector<bool> kept;
    bool pale = false;
    ZoomRange window;  ///< in rows, over the width of plotArea()
    std::optional<std::size_t> chosen;
    std::optional<double> dragFrom;  ///< pixel
    bool dragging = false;
};

}  // namespace et::visualizers

#pragma once

#include "visualizers/gap/gap_plot_content.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <memory>
#include <optional>
#include <vector>

namespace et::visualizers {

/// A quantity of every operator in execution order, worse is higher, logarithmic. Circles are operators,
/// squares whole delegate calls. The first divergence is marked. A click selects an operator.
class GapPlot : public ZoomPanWidget {
    Q_OBJECT

  public:
    explicit GapPlot(QWidget* parent = nullptr);

    /// Null shows nothing.
    void setReport(std::shared_ptr<const inspector::GapReport> shown);
    /// One of gapQuantities().
    void setQuantity(const GapQuantity& shown);
    /// By row: whether it is painted in full colour; others are pale. Empty: all.
    void setKept(std::vector<bool> rows);
    /// Paints all rows pale, because the report no longer matches the open files.
    void setPale(bool stale);
    void setCurrent(std::optional<std::size_t> row);

    /// Item under the pointer, here or in another view.
    void setGlowing(std::optional<std::size_t> row);
    [[nodiscard]] std::optional<std::size_t> glowing() const { return content.glowing; }
    void showRows(double from, double to);

    [[nodiscard]] std::optional<std::size_t> current() const { return content.chosen; }
    [[nodiscard]] const ZoomRange& range() const { return content.window; }
    /// Area of the marks in widget pixels.
    [[nodiscard]] QRectF plotArea() const { return content.area; }
    /// Position of a row's mark; nothing if it has no number or is not on screen.
    [[nodiscard]] std::optional<QPointF> markOf(std::size_t row, std::size_t series = 0) const {
        return content.markOf(row, series);
    }
    [[nodiscard]] QString hoverText(std::size_t row) const { return content.tipOf(row); }

    [[nodiscard]] QString spokenValue() const override {
        return content.chosen ? hoverText(*content.chosen) : QString();
    }
    void fitAll() override;
    void fitChosen() override;

    [[nodiscard]] QSize sizeHint() const override { return {520, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 88}; }

  signals:
    void rowChosen(std::size_t row);
    /// Emitted on a double click or Return, to show the row in other panels.
    void rowActivated(std::size_t row);
    void rowHovered(std::optional<std::size_t> row);
    void viewMoved();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void selectAdjacent(int by) override { choose(content.beside(by)); }
    void click(const QPointF& at) override { choose(content.rowAt(at.x())); }
    bool doubleClick(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    [[nodiscard]] QRectF pictureArea() const override { return content.area; }
    [[nodiscard]] QPointF stillPoint() const override;

    void placeArea();
    void moved();
    void bringIntoView(std::size_t row);
    void choose(std::optional<std::size_t> row);
    void goToFirstDivergence();

    GapPlotContent content;
};

}  // namespace et::visualizers

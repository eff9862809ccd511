#pragma once

#include "inspector/plot/error_plot.h"
#include "visualizers/gap/gap_quantity.h"
#include "visualizers/toolkit/zoom_pan_widget.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// A quantity of every operator in execution order (inspector/plot/error_plot.h). A click selects an
/// operator.
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
    [[nodiscard]] std::optional<std::size_t> glowing() const { return pointed; }
    void showRows(double from, double to);

    [[nodiscard]] std::optional<std::size_t> current() const { return chosen; }
    [[nodiscard]] const ZoomRange& range() const { return window; }
    /// Area of the marks in widget pixels.
    [[nodiscard]] QRectF plotArea() const;
    /// Position of a row's mark; nothing if it has no number or is not on screen.
    [[nodiscard]] std::optional<QPointF> markOf(std::size_t row, std::size_t series = 0) const;
    [[nodiscard]] QString hoverText(std::size_t row) const;

    [[nodiscard]] QString spokenValue() const override { return chosen ? hoverText(*chosen) : QString(); }
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
    void selectAdjacent(int by) override;
    void click(const QPointF& at) override { choose(rowAt(at)); }
    bool doubleClick(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    [[nodiscard]] QRectF pictureArea() const override { return plotArea(); }
    [[nodiscard]] QPointF stillPoint() const override;

    [[nodiscard]] std::size_t rowCount() const { return errors.rows().size(); }
    [[nodiscard]] inspector::plot::Frame frame() const;
    [[nodiscard]] std::optional<std::size_t> rowAt(const QPointF& at) const;
    /// The column of a row, within the plot.
    [[nodiscard]] QRectF bandOf(std::size_t row) const;
    /// "57 add" and "own: 3.6e-07 max abs", one for each series.
    [[nodiscard]] QStringList numbersOf(std::size_t row) const;
    void paintGlowing(QPainter& painter) const;
    void moved();
    void bringIntoView(std::size_t row);
    void choose(std::optional<std::size_t> row);
    void goToFirstDivergence();

    std::shared_ptr<const inspector::GapReport> report;
    const GapQuantity* quantity;
    inspector::plot::ErrorPlot errors;
    std::vector<bool> kept;  ///< by row; empty: all
    bool pale = false;
    std::optional<std::size_t> chosen;
    std::optional<std::size_t> pointed;  ///< row under the pointer, here or in another view
    ZoomRange window;                    ///< in rows, across plotArea()
};

}  // namespace et::visualizers

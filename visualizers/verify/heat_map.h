#pragma once

#include "visualizers/toolkit/colour_scale.h"
#include "visualizers/toolkit/spoken_picture.h"
#include "visualizers/verify/slice.h"
#include "visualizers/verify/tensor_values.h"

#include <QImage>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>

namespace et::visualizers {

/// A slice of a tensor as coloured cells with a legend below. NaN and infinities have separate colours. Of
/// several cells on one pixel, the one furthest from 0 is shown. Arrow keys and clicks move the cursor.
class HeatMap : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    explicit HeatMap(ColourScale::Kind kind, QWidget* parent = nullptr);

    /// Null shows nothing. The colour scale covers the whole tensor, so that slices are comparable.
    void setValues(std::shared_ptr<const TensorValues> tensor, const ColourScale& colours);
    void setSlice(const Slice& part);
    /// A cell outside the slice clears the cursor.
    void setCursor(std::optional<SliceCell> cell);

    [[nodiscard]] ColourScale::Kind kind() const { return scaleKind; }
    /// Area of the cells in widget pixels.
    [[nodiscard]] QRect plotArea() const;
    /// The cell at a pixel; of several, the one that is painted.
    [[nodiscard]] std::optional<SliceCell> cellAt(const QPoint& position) const;
    [[nodiscard]] QRect cellRect(SliceCell cell) const;

    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void cellChosen(et::visualizers::SliceCell cell);

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] bool isShown() const { return values != nullptr && !slice.empty(); }
    [[nodiscard]] double number(SliceCell cell) const;
    [[nodiscard]] QString cellText(SliceCell cell) const;
    [[nodiscard]] SliceCell worstCell(const QRect& cells) const;
    [[nodiscard]] QRect cellsOf(int x, int y, QSize room) const;
    [[nodiscard]] QImage render(QSize room) const;
    void paintCursor(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;
    void moveCursor(std::int64_t rows, std::int64_t columns);

    ColourScale::Kind scaleKind;
    std::shared_ptr<const TensorValues> values;
    ColourScale scale;
    Slice slice;
    std::optional<SliceCell> cursor;
    std::array<bool, 3> seen{};  ///< NaN, infinity, -infinity: special values for the legend
    QImage picture;              ///< image of plotArea(); null: must be rendered
};

}  // namespace et::visualizers

#pragma once

#include "visualizers/tests/slice.h"
#include "visualizers/tests/tensor_values.h"
#include "visualizers/toolkit/colour_scale.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QImage>
#include <QWidget>

#include <array>
#include <memory>
#include <optional>

namespace et::visualizers {

/// A slice of a tensor as coloured cells, with a legend below. NaN and infinities have colours of their own.
/// Where a pixel stands for several cells, it shows the one furthest from 0. Arrow keys and clicks move the
/// cursor.
class HeatMap : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    explicit HeatMap(ColourScale::Kind kind, QWidget* parent = nullptr);

    /// Null shows nothing. The colours span the whole tensor, so that slices compare.
    void setValues(std::shared_ptr<const TensorValues> tensor, const ColourScale& colours);
    void setSlice(const Slice& part);
    /// A cell outside the slice clears it.
    void setCursor(std::optional<SliceCell> cell);

    [[nodiscard]] ColourScale::Kind kind() const { return scaleKind; }
    /// Where the cells are, in pixels of the widget.
    [[nodiscard]] QRect plotArea() const;
    /// The cell at a pixel; of several, the one that is painted there.
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
    std::array<bool, 3> seen{};  ///< NaN, infinity, -infinity: which the legend has to explain
    QImage picture;              ///< of plotArea(); null: to be rendered
};

}  // namespace et::visualizers

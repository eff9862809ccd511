#pragma once

#include "inspector/plot/frame.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QPointF>

#include <cstddef>
#include <optional>

namespace et::visualizers {

/// A plot (inspector/plot) that always shows all of its items. A click selects the item nearest in x, the
/// left and right keys its neighbours. Subclasses provide the scene and the selection.
class PointPlot : public TipWidget {
    Q_OBJECT

  public:
    explicit PointPlot(QWidget* parent);

    /// Position of an item in pixels.
    [[nodiscard]] QPointF placeOf(std::size_t item) const;
    /// The item nearest in x; nothing without items.
    [[nodiscard]] virtual std::optional<std::size_t> itemAt(const QPointF& at) const;
    [[nodiscard]] virtual std::optional<std::size_t> chosenPoint() const = 0;
    /// Number of items that can be selected: the first of the scene.
    [[nodiscard]] virtual std::size_t itemCount() const = 0;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    [[nodiscard]] virtual inspector::plot::Scene scene() const = 0;
    /// Called when the user selects an item with a key.
    virtual void chooseItem(std::size_t item) = 0;
    virtual void clickItem(std::size_t item) { chooseItem(item); }

    /// A frame across the widget between two heights, with space for a caption above it and for labels.
    [[nodiscard]] inspector::plot::Frame frameBetween(double top, double bottom) const;

    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace et::visualizers

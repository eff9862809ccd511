#pragma once

#include "inspector/plot/frame.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QPalette>

#include <cstddef>
#include <optional>
#include <utility>

class QPainter;

namespace et::visualizers {

/// Paints a scene in the colours of a palette.
void paintScene(QPainter& painter, const inspector::plot::Scene& scene, const QPalette& palette);

/// A plot of items (inspector/plot). Both axes zoom together, to preserve slopes; items are selected with a
/// click or the arrow keys. Subclasses provide the scene and the selection.
class PlotWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `widest`: the widest label of the vertical axis.
    PlotWidget(const QString& itemName, QString widest, QWidget* parent);

    /// Position of an item in pixels.
    [[nodiscard]] QPointF placeOf(std::size_t item) const;
    [[nodiscard]] virtual std::optional<std::size_t> chosenPoint() const = 0;
    /// The whole plot with its selection, in a picture of this size with text as in SVG.
    [[nodiscard]] inspector::plot::Scene pageScene(const QSizeF& page) const;

    /// Tooltip of the selected item, in one line.
    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    void fitAll() override;
    void fitChosen() override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    [[nodiscard]] virtual inspector::plot::Scene sceneIn(const inspector::plot::Frame& frame) const = 0;
    [[nodiscard]] virtual std::optional<std::size_t> hoveredItem() const = 0;
    /// Called when the user selects an item, or clicks outside of all items.
    virtual void chooseItem(std::optional<std::size_t> item) = 0;
    virtual void hoverItem(std::optional<std::size_t> item) = 0;
    /// Must be called when the result of sceneIn() has changed.
    void renew();
    [[nodiscard]] std::optional<std::size_t> itemAt(const QPointF& at) const;

    void paintEvent(QPaintEvent* event) override;
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void selectAdjacent(int by) override;
    void click(const QPointF& at) override { chooseItem(itemAt(at)); }
    void hover(std::optional<QPointF> at) override { hoverItem(at ? itemAt(*at) : std::nullopt); }
    [[nodiscard]] QRectF pictureArea() const override;

  private:
    /// The frame in the widget, with the visible part.
    [[nodiscard]] inspector::plot::Frame frame() const;
    /// The scene of the current size and visible part.
    [[nodiscard]] const inspector::plot::Scene& scene() const;
    void showPart(const QRectF& wanted);

    QString widestLabel;
    inspector::plot::Box part{.x = 0, .y = 0, .width = 1, .height = 1};  ///< visible part of the plot
    mutable std::optional<std::pair<inspector::plot::Frame, inspector::plot::Scene>> drawn;
};

}  // namespace et::visualizers

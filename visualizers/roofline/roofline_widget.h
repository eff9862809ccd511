#pragma once

#include "visualizers/roofline/roofline_painter.h"
#include "visualizers/roofline/roofline_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <memory>
#include <optional>

namespace et::visualizers {

/// Operators as points below the limits of the machine. A click selects the operator of a point.
class RooflineWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    /// `selection` must outlive the widget.
    explicit RooflineWidget(Selection& selection, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setScene(std::shared_ptr<const RooflineScene> shown);
    [[nodiscard]] const RooflineScene* content() const { return scene.get(); }
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const;
    /// Position of a point in pixels.
    [[nodiscard]] QPointF placeOf(std::size_t point) const;

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override;
    void fitChosen() override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void chooseBeside(int by) override;
    void click(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    [[nodiscard]] QRectF pictureArea() const override;

    void showPart(const QRectF& wanted);
    void choose(std::size_t point);
    [[nodiscard]] ShownRoofline shown() const;
    /// The topmost point at a pixel.
    [[nodiscard]] std::optional<std::size_t> pointAt(const QPointF& at) const;

    Selection& chosen;
    std::shared_ptr<const RooflineScene> scene;
    QRectF part{0, 0, 1, 1};
};

}  // namespace et::visualizers

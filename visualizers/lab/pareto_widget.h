#pragma once

#include "visualizers/lab/pareto_painter.h"
#include "visualizers/lab/pareto_scene.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <memory>
#include <optional>

namespace et::visualizers {

/// Programs by error and cost. A click or the arrow keys select the program of a point; a double click or
/// Return opens it.
class ParetoWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    explicit ParetoWidget(QWidget* parent = nullptr);

    /// Null shows nothing. The visible part is kept if the cost is the same.
    void setScene(std::shared_ptr<const ParetoScene> shown);
    [[nodiscard]] const ParetoScene* content() const { return scene.get(); }
    /// Selects a candidate without a signal; nothing: the predicted one, if there is one.
    void choose(std::optional<std::size_t> candidate);
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const { return chosen; }
    /// Position of a point in pixels.
    [[nodiscard]] QPointF placeOf(std::size_t point) const;
    /// Paints the whole plot on a page of this size, with the palette `colours`.
    void paintPage(QPainter& painter, const QRectF& page, const QPalette& colours) const;

    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;
    void fitAll() override;
    void fitChosen() override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

  signals:
    /// Selected by the user.
    void candidateChosen(std::size_t candidate);
    void candidateOpened(std::size_t candidate);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void chooseBeside(int by) override;
    void click(const QPointF& at) override;
    bool doubleClick(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QRectF pictureArea() const override;

    void showPart(const QRectF& wanted);
    void chooseAsPerson(std::size_t point);
    [[nodiscard]] ShownPareto shown() const;
    /// The point nearest to a pixel.
    [[nodiscard]] std::optional<std::size_t> pointAt(const QPointF& at) const;

    std::shared_ptr<const ParetoScene> scene;
    std::optional<std::size_t> chosen;   ///< a point of the scene
    std::optional<std::size_t> hovered;  ///< likewise
    QRectF part{0, 0, 1, 1};
};

}  // namespace et::visualizers

#pragma once

#include "visualizers/compare/aligned_steps.h"
#include "visualizers/toolkit/zoom_pan_widget.h"

#include <QRectF>

class QPainter;

namespace et::visualizers {

/// Two programs as graphs side by side: equal steps on one line, differences coloured, arrows for data flow.
/// A click selects a step of the first program.
class AlignedWidget : public ZoomPanWidget {
    Q_OBJECT

  public:
    explicit AlignedWidget(Selection& selection, QWidget* parent = nullptr);

    void show(AlignedSteps shown);
    [[nodiscard]] const AlignedSteps& content() const { return steps; }
    [[nodiscard]] std::optional<std::size_t> current() const { return row; }
    void choose(std::size_t chosenRow);
    /// Rectangle of a row on one side.
    [[nodiscard]] QRectF boxOf(std::size_t which, std::size_t side) const;

    [[nodiscard]] QString spokenValue() const override;
    void fitAll() override;
    void fitChosen() override;
    [[nodiscard]] QSize sizeHint() const override { return {420, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 80}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void zoom(double factor, Axis axis, const QPointF& at) override;
    void pan(const QPointF& pixels) override;
    void selectAdjacent(int by) override;
    void click(const QPointF& at) override;
    void hover(std::optional<QPointF> at) override;
    [[nodiscard]] QString tipAt(const QPointF& at) const override;

    [[nodiscard]] std::optional<std::size_t> rowAt(double y) const;
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double arrowRoom() const;
    void scrollTo(double top);
    void paintBox(QPainter& painter, std::size_t which, std::size_t side) const;
    void paintArrows(QPainter& painter, std::size_t side, std::size_t first, std::size_t last) const;

    Selection& chosen;
    AlignedSteps steps;
    std::optional<std::size_t> row;
    double scale = 1;  ///< of the row height
    double scrolled = 0;
};

}  // namespace et::visualizers

#pragma once

#include "inspector/trend/trend.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QPointF>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// The times of a model or of one of its operators on one kind of device: one point per commit, with levels
/// and their changes. The arrow keys move between points; Return acts like a click.
class TrendPlot : public TipWidget {
    Q_OBJECT

  public:
    explicit TrendPlot(QWidget* parent = nullptr);

    /// A group of a trend.
    void setGroup(std::shared_ptr<const inspector::Trend> trend, std::size_t group);
    /// Nothing: the total.
    void setOperator(std::optional<std::size_t> index);
    void choose(std::optional<std::size_t> point);

    [[nodiscard]] std::size_t group() const { return shown; }
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const { return chosen; }
    /// "pixel8, forward: 12.3 ms now, +3.1 % since 4f2a91c".
    [[nodiscard]] QString summary() const;
    /// The point nearest to this x; nothing without points.
    [[nodiscard]] std::optional<std::size_t> pointAt(double x) const;
    [[nodiscard]] QPointF placeOf(std::size_t point) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    /// Emitted when the user wants to open the measurement of a point.
    void pointWanted(std::size_t point);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] const inspector::TrendGroup& data() const { return trend->groups[shown]; }
    [[nodiscard]] double timeOf(std::size_t point) const;
    [[nodiscard]] QString numberText(double time) const;
    [[nodiscard]] QString describe(std::size_t point) const;
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double xOf(std::size_t point) const;
    [[nodiscard]] double yOf(double time) const;
    void showRange();
    void paintAxis(QPainter& painter) const;
    void paintChanges(QPainter& painter) const;
    void paintPoints(QPainter& painter) const;

    std::shared_ptr<const inspector::Trend> trend;
    std::size_t shown = 0;
    std::optional<std::size_t> operation;
    std::optional<std::size_t> chosen;
    std::vector<inspector::Level> levels;
    double least = 0;
    double most = 1;
};

}  // namespace et::visualizers

#pragma once

#include "inspector/comparison/waterfall.h"
#include "inspector/format/time_scale.h"
#include "visualizers/toolkit/tip_widget.h"

#include <cstddef>
#include <optional>

namespace et::visualizers {

/// Bars from A's total to B's, one per step, each starting where the previous one ends. A click selects the
/// operator.
class WaterfallPlot : public TipWidget {
    Q_OBJECT

  public:
    explicit WaterfallPlot(QWidget* parent);

    /// `unitLength`: length of one `scale` unit in the comparison's times.
    void show(inspector::Waterfall fall, inspector::TimeScale scale, double unitLength);
    [[nodiscard]] const inspector::Waterfall& waterfall() const { return shown; }
    /// The step at a vertical position; nothing for the totals.
    [[nodiscard]] std::optional<std::size_t> stepAt(QPoint at) const;

    /// Pixels at the right for the longest value.
    [[nodiscard]] int valueWidth() const;
    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void rowChosen(std::size_t row);  ///< into MethodComparison::rows

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] double xOf(double time) const;
    [[nodiscard]] QString textOf(const inspector::WaterfallStep& step) const;
    [[nodiscard]] QString timeOf(double time) const;
    [[nodiscard]] QString changeOf(const inspector::WaterfallStep& step) const;  ///< signed
    void paintLine(class QPainter& painter, int line, const QString& name, double from, double to,
                   const QColor& colour, const QString& value) const;

    inspector::Waterfall shown;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    double length = 1;
    double low = 0;  ///< start of the axis, in the comparison's times
    double high = 1;
};

}  // namespace et::visualizers

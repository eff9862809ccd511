#pragma once

#include "visualizers/run/gauge_history.h"
#include "visualizers/run/gauge_strips.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace et::visualizers {

/// State of a device while a model runs on it, as plots over time, next to each other.
class RunGauge : public TipWidget {
    Q_OBJECT

  public:
    explicit RunGauge(QWidget* parent = nullptr);

    void setHistory(const GaugeHistory& history);
    [[nodiscard]] const std::vector<GaugeStrip>& strips() const { return shown; }
    /// Plot area of a strip, below its title.
    [[nodiscard]] QRectF area(std::size_t strip) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] double seconds() const;
    [[nodiscard]] QPointF placeOf(const QRectF& area, const GaugeStrip& strip, double at, double value) const;
    void paintStrip(QPainter& painter, std::size_t index) const;
    void paintBand(QPainter& painter, const QRectF& area, const GaugeStrip& strip) const;
    void paintLines(QPainter& painter, const QRectF& area, const GaugeStrip& strip) const;

    std::vector<GaugeSample> samples;
    std::vector<GaugeStrip> shown;
    QString summary;
};

}  // namespace et::visualizers

#pragma once

#include "visualizers/run/gauge_history.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QRectF>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace et::visualizers {

/// One quantity over the time of a run.
struct GaugeStrip {
    struct Point {
        double seconds = 0;
        double value = 0;
    };
    struct Band {
        double seconds = 0;
        double least = 0;
        double most = 0;
    };

    QString title;  ///< name and current value
    std::vector<std::vector<Point>> lines{};
    std::vector<Band> band{};     ///< behind the line; empty: none
    std::vector<double> marks{};  ///< times of events in seconds
    double most = 0;              ///< top of the plot; the bottom is 0
    QString mostText{};
};

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

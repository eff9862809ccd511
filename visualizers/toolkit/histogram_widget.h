#pragma once

#include "inspector/format/time_scale.h"
#include "inspector/join/event_blocks.h"
#include "visualizers/toolkit/histogram.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace et::visualizers {

/// The distribution of an event's samples as bars, with p10, p50 and p90 marked on the axis.
class HistogramWidget : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    explicit HistogramWidget(QWidget* parent = nullptr);

    /// Shows `event` (its samples are copied into bins); null shows nothing. The unit of `scale` is printed
    /// at the axis.
    void show(const inspector::Event* event, inspector::TimeScale scale);

    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QRectF plotArea() const;
    [[nodiscard]] double xOf(double value) const;
    void paintBars(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;

    Histogram bins;
    std::vector<double> few{};  ///< the samples, if drawn individually
    inspector::Statistics statistics{};
    std::size_t sampleCount = 0;
    inspector::TimeScale axisScale{};
};

}  // namespace et::visualizers

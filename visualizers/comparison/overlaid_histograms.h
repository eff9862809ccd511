#pragma once

#include "visualizers/histogram.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <optional>
#include <span>

namespace et::visualizers {

/// The distributions of two sets of samples over one axis, each as shares of its own samples, with their
/// medians marked.
class OverlaidHistograms : public QWidget {
    Q_OBJECT

  public:
    static constexpr QRgb colourA = 0xff3d7be0;
    static constexpr QRgb colourB = 0xffe08a1e;

    explicit OverlaidHistograms(QWidget* parent = nullptr);

    /// Samples and medians in `unit`, which is printed at the axis. Without samples nothing is drawn.
    void setSamples(std::span<const double> a, std::span<const double> b, const QString& unit);
    void clear() { setSamples({}, {}, {}); }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Where the bars are, in pixels of the widget.
    [[nodiscard]] QRectF plotArea() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    /// One side: its bins, how many samples they hold, and the median.
    struct Side {
        const Histogram* bins;
        QRgb colour;
        std::size_t count;
        std::optional<double> median;
    };
    [[nodiscard]] double tallestShare() const;
    [[nodiscard]] double xOf(double value) const;
    void paintSide(QPainter& painter, const Side& side) const;
    void paintMedian(QPainter& painter, const Side& side) const;
    void paintAxis(QPainter& painter) const;

    HistogramPair bins;
    Side sides[2];
    QString axisUnit;
};

}  // namespace et::visualizers

#pragma once

#include "inspector/format/time_scale.h"
#include "visualizers/toolkit/histogram.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace et::visualizers {

/// Binned distributions of two sample sets, ready to draw. Non-finite samples are dropped.
struct SampleDistributions {
    HistogramPair bins;
    std::array<std::size_t, 2> counts{};  ///< of finite samples
    std::array<std::optional<double>, 2> medians;
};
/// Sorts the samples, so it is slow for many samples; do not call it on the GUI thread in that case.
[[nodiscard]] SampleDistributions makeDistributions(std::span<const double> a, std::span<const double> b);

/// Legend names of the two sides and of their samples.
struct DistributionNames {
    QString a;
    QString b;
    QString oneSample;    ///< "1 run"
    QString manySamples;  ///< "%1 runs"
};

/// The distributions of two sample sets over one axis, each normalized to its own number of samples, with
/// medians marked.
class OverlaidHistograms : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    static constexpr QRgb colourA = 0xff3d7be0;
    static constexpr QRgb colourB = 0xffe08a1e;

    explicit OverlaidHistograms(QWidget* parent = nullptr);

    /// Samples and medians are in `scale`; the axis uses a suitable unit. Draws nothing without samples.
    void setSamples(std::span<const double> a, std::span<const double> b, inspector::TimeScale scale) {
        setDistributions(makeDistributions(a, b), scale);
    }
    /// Without a scale, the values are plain numbers.
    void setDistributions(SampleDistributions samples, std::optional<inspector::TimeScale> scale);
    /// Defaults: A, B and runs.
    void setNames(DistributionNames names);
    void clear() { setDistributions({}, axisScale); }

    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Area of the bars in widget pixels.
    [[nodiscard]] QRectF plotArea() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    /// One side: its bins, sample count and median.
    struct Side {
        const Histogram& bins;
        QRgb colour;
        const QString& name;
        std::size_t count;
        std::optional<double> median;
    };
    [[nodiscard]] std::array<Side, 2> sides() const;
    [[nodiscard]] double tallestShare() const;
    [[nodiscard]] double xOf(double value) const;
    void paintSide(QPainter& painter, const Side& side) const;
    void paintMedian(QPainter& painter, const Side& side) const;
    [[nodiscard]] QString legendText(const Side& side, double width) const;
    void paintAxis(QPainter& painter) const;

    SampleDistributions shown;
    DistributionNames legend;
    [[nodiscard]] QString textOf(double value) const;

    std::optional<inspector::TimeScale> axisScale{};
};

}  // namespace et::visualizers

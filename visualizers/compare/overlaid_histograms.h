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

/// Two sets of samples, ready to be drawn. Samples that are not finite are left out.
struct SampleDistributions {
    HistogramPair bins;
    std::array<std::size_t, 2> counts{};  ///< of finite samples
    std::array<std::optional<double>, 2> medians;
};
/// Sorts the samples: not for the GUI thread when there are many.
[[nodiscard]] SampleDistributions distributionsOf(std::span<const double> a, std::span<const double> b);

/// What the legend calls the two sides, and their samples.
struct DistributionNames {
    QString a;
    QString b;
    QString oneSample;    ///< "1 run"
    QString manySamples;  ///< "%1 runs"
};

/// The distributions of two sets of samples over one axis, each as shares of its own samples, with their
/// medians marked.
class OverlaidHistograms : public QWidget, public SpokenPicture {
    Q_OBJECT

  public:
    static constexpr QRgb colourA = 0xff3d7be0;
    static constexpr QRgb colourB = 0xffe08a1e;

    explicit OverlaidHistograms(QWidget* parent = nullptr);

    /// Samples and medians in `scale`; the axis has the unit that fits. Without samples nothing is drawn.
    void setSamples(std::span<const double> a, std::span<const double> b, inspector::TimeScale scale) {
        setDistributions(distributionsOf(a, b), scale);
    }
    /// Without a scale they are plain numbers.
    void setDistributions(SampleDistributions samples, std::optional<inspector::TimeScale> scale);
    /// Of A and B, and of runs, if nothing says otherwise.
    void setNames(DistributionNames names);
    void clear() { setDistributions({}, axisScale); }

    [[nodiscard]] QString spokenValue() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Where the bars are, in pixels of the widget.
    [[nodiscard]] QRectF plotArea() const;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    /// One side: its bins, how many samples they hold, and the median.
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

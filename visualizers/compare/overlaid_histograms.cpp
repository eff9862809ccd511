#include "visualizers/compare/overlaid_histograms.h"

#include "inspector/join/event_blocks.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace et::visualizers {

namespace {

constexpr std::size_t maxBins = 40;
constexpr int histogramEdge = 8;
constexpr int barAlpha = 110;
constexpr int widthInLetters = 44;
constexpr int usualHeight = 200;
constexpr int leastHeight = 80;
constexpr int greatestHeight = 320;

std::vector<double> selectFinite(std::span<const double> samples) {
    std::vector<double> finite;
    std::ranges::copy_if(samples, std::back_inserter(finite),
                         [](double value) { return std::isfinite(value); });
    return finite;
}

std::optional<double> computeMedian(std::span<const double> finite) {
    return finite.empty() ? std::nullopt : std::optional(inspector::summarize(finite).p50);
}

}  // namespace

SampleDistributions makeDistributions(std::span<const double> a, std::span<const double> b) {
    const std::array finite{selectFinite(a), selectFinite(b)};
    return {.bins = histograms(finite[0], finite[1], maxBins),
            .counts = {finite[0].size(), finite[1].size()},
            .medians = {computeMedian(finite[0]), computeMedian(finite[1])}};
}

OverlaidHistograms::OverlaidHistograms(QWidget* parent)
    : QWidget(parent),
      legend{.a = QStringLiteral("A"),
             .b = QStringLiteral("B"),
             .oneSample = QStringLiteral("1 run"),
             .manySamples = QStringLiteral("%1 runs")} {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMaximumHeight(greatestHeight);
    setAccessibleName(QStringLiteral("Distributions of both sides"));
    setNames(legend);
}

void OverlaidHistograms::setNames(DistributionNames names) {
    legend = std::move(names);
    setToolTip(QStringLiteral(
                   "Distribution of the samples of %1 and %2, each as shares of its own total; the lines are "
                   "the medians")
                   .arg(legend.a, legend.b));
    update();
}

void OverlaidHistograms::setDistributions(SampleDistributions samples,
                                          std::optional<inspector::TimeScale> scale) {
    shown = std::move(samples);
    axisScale = scale;
    update();
}

std::array<OverlaidHistograms::Side, 2> OverlaidHistograms::sides() const {
    return {Side{shown.bins.a, colourA, legend.a, shown.counts[0], shown.medians[0]},
            Side{shown.bins.b, colourB, legend.b, shown.counts[1], shown.medians[1]}};
}

QString OverlaidHistograms::textOf(double value) const {
    constexpr int numberDigits = 4;
    return axisScale ? timeText(value, *axisScale) : QString::number(value, 'g', numberDigits);
}

QString OverlaidHistograms::spokenValue() const {
    QStringList texts;
    for (const Side& side : sides()) {
        if (side.median) {
            texts.append(QStringLiteral("%1: %2, median %3")
                             .arg(side.name, counted(side.count, legend.oneSample, legend.manySamples),
                                  textOf(*side.median)));
        }
    }
    return texts.join(QStringLiteral("; "));
}

QSize OverlaidHistograms::sizeHint() const {
    return {fontMetrics().averageCharWidth() * widthInLetters, usualHeight};
}

QSize OverlaidHistograms::minimumSizeHint() const {
    return {sizeHint().width() / 2, leastHeight};
}

QRectF OverlaidHistograms::plotArea() const {
    const int letters = fontMetrics().height();
    return QRectF(rect()).adjusted(histogramEdge, 2 * letters + histogramEdge, -histogramEdge,
                                   -letters - histogramEdge);
}

double OverlaidHistograms::xOf(double value) const {
    const QRectF area = plotArea();
    const double range = shown.bins.a.highest - shown.bins.a.lowest;
    const double place = range > 0 ? (value - shown.bins.a.lowest) / range : 0.5;
    return area.left() + std::clamp(place, 0.0, 1.0) * area.width();
}

double OverlaidHistograms::tallestShare() const {
    double tallest = 0;
    for (const Side& side : sides()) {
        if (side.count > 0) {
            tallest = std::max(tallest, side.bins.tallest() / static_cast<double>(side.count));
        }
    }
    return tallest;
}

void OverlaidHistograms::paintEvent(QPaintEvent*) {
    if (shown.bins.a.counts.empty()) {
        return;
    }
    PicturePainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Side& side : sides()) {
        paintSide(painter, side);
    }
    for (const Side& side : sides()) {
        paintMedian(painter, side);
    }
    paintAxis(painter);
}

// Draws a filled outline along the tops of the bars.
void OverlaidHistograms::paintSide(QPainter& painter, const Side& side) const {
    if (side.count == 0) {
        return;
    }
    const QRectF area = plotArea();
    const double tallest = tallestShare();
    const double width = area.width() / static_cast<double>(side.bins.counts.size());
    QPolygonF outline{QPointF(area.bottomLeft())};
    for (std::size_t bin = 0; bin < side.bins.counts.size(); ++bin) {
        const double share = side.bins.counts[bin] / static_cast<double>(side.count);
        const double top = area.bottom() - share / tallest * area.height();
        const double left = area.left() + static_cast<double>(bin) * width;
        outline << QPointF(left, top) << QPointF(left + width, top);
    }
    outline << area.bottomRight();
    QColor fill = QColor(side.colour);
    painter.setPen(QPen(fill, 1.5));
    fill.setAlpha(barAlpha);
    painter.setBrush(fill);
    painter.drawPolygon(outline);
}

void OverlaidHistograms::paintMedian(QPainter& painter, const Side& side) const {
    if (side.median) {
        const QRectF area = plotArea();
        const double x = xOf(*side.median);
        painter.setPen(QPen(QColor(side.colour), 2, Qt::DashLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

/// Drops the count if the full text is too wide; the accessible value contains it.
QString OverlaidHistograms::legendText(const Side& side, double width) const {
    if (!side.median) {
        return QStringLiteral("%1   no samples").arg(side.name);
    }
    const QString all =
        QStringLiteral("%1   p50 %2   %3")
            .arg(side.name, textOf(*side.median), counted(side.count, legend.oneSample, legend.manySamples));
    return fontMetrics().horizontalAdvance(all) <= width
               ? all
               : QStringLiteral("%1   p50 %2").arg(side.name, textOf(*side.median));
}

void OverlaidHistograms::paintAxis(QPainter& painter) const {
    const QRectF area = plotArea();
    const int letters = fontMetrics().height();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    double top = histogramEdge / 2.0;
    for (const Side& side : sides()) {
        const QRectF line(area.left(), top, area.width(), letters);
        top += letters;
        painter.fillRect(QRectF(line.left(), line.top() + letters / 4.0, letters / 2.0, letters / 2.0),
                         QColor(side.colour));
        painter.setPen(palette().color(QPalette::WindowText));
        const QRectF words = line.adjusted(letters, 0, 0, 0);
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, legendText(side, words.width()));
    }
    const QRectF below(area.left(), area.bottom() + 2, area.width(), letters + histogramEdge);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignTop, textOf(shown.bins.a.lowest));
    painter.drawText(below, Qt::AlignRight | Qt::AlignTop, textOf(shown.bins.a.highest));
}

}  // namespace et::visualizers

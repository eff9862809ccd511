#include "visualizers/toolkit/histogram_widget.h"

#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace et::visualizers {

namespace {

constexpr std::size_t maxBins = 48;
constexpr std::size_t fewSamples = 16;  // with so few samples, they are drawn individually instead of as bars
constexpr int edge = 8;                 // margin left and right of the plot
constexpr int plotHeight = 56;          // maximum height of the bars
constexpr int markerSize = 4;           // half the width of a percentile's triangle
constexpr int widthInLetters = 44;

}  // namespace

HistogramWidget::HistogramWidget(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(QStringLiteral("Distribution of the samples"));
    setToolTip(QStringLiteral("Distribution of the samples; the marks are p10, p50 and p90"));
}

void HistogramWidget::show(const inspector::Event* event, inspector::TimeScale scale) {
    bins = event ? histogram(event->samples, maxBins) : Histogram{};
    statistics = event ? event->statistics : inspector::Statistics{};
    sampleCount = event ? event->samples.size() : 0;
    few.clear();
    if (event && sampleCount <= fewSamples) {
        few.assign(event->samples.begin(), event->samples.end());
    }
    axisScale = scale;
    setVisible(sampleCount > 1);
    update();
}

QString HistogramWidget::spokenValue() const {
    return sampleCount == 0
               ? QString()
               : QStringLiteral("%1 samples: p10 %2, p50 %3, p90 %4")
                     .arg(sampleCount)
                     .arg(timeText(statistics.p10, axisScale), timeText(statistics.p50, axisScale),
                          timeText(statistics.p90, axisScale));
}

QSize HistogramWidget::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    return {metrics.averageCharWidth() * widthInLetters, plotHeight + 2 * metrics.height() + 2 * edge};
}

QSize HistogramWidget::minimumSizeHint() const {
    return {sizeHint().width() / 2, sizeHint().height()};
}

QRectF HistogramWidget::plotArea() const {
    const int letters = fontMetrics().height();
    return QRectF(rect()).adjusted(edge, letters + edge, -edge, -letters - edge);
}

double HistogramWidget::xOf(double value) const {
    const QRectF area = plotArea();
    const double range = bins.highest - bins.lowest;
    const double place = range > 0 ? (value - bins.lowest) / range : 0.5;
    return area.left() + std::clamp(place, 0.0, 1.0) * area.width();
}

void HistogramWidget::paintEvent(QPaintEvent*) {
    if (bins.counts.empty()) {
        return;
    }
    PicturePainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBars(painter);
    paintMarkers(painter);
    paintAxis(painter);
}

void HistogramWidget::paintBars(QPainter& painter) const {
    const QRectF area = plotArea();
    constexpr double lineWidth = 3;
    for (const double sample : few) {
        painter.fillRect(QRectF(xOf(sample) - lineWidth / 2, area.top(), lineWidth, area.height()),
                         palette().highlight());
    }
    if (!few.empty()) {
        return;
    }
    const double width = area.width() / static_cast<double>(bins.counts.size());
    for (std::size_t bin = 0; bin < bins.counts.size(); ++bin) {
        if (bins.counts[bin] == 0) {
            continue;
        }
        // At least two pixels, so that a single outlier among thousands of samples stays visible.
        const double share = static_cast<double>(bins.counts[bin]) / bins.tallest();
        const double height = std::max(share * area.height(), 2.0);
        const QRectF bar(area.left() + static_cast<double>(bin) * width, area.bottom() - height,
                         std::max(width - 1, 1.0), height);
        painter.fillRect(bar, palette().highlight());
    }
}

void HistogramWidget::paintMarkers(QPainter& painter) const {
    const double bottom = plotArea().bottom();
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().windowText());
    for (const double value : std::array{statistics.p10, statistics.p50, statistics.p90}) {
        const double x = xOf(value);
        painter.drawPolygon(QPolygonF{{QPointF(x, bottom + 1), QPointF(x - markerSize, bottom + edge),
                                       QPointF(x + markerSize, bottom + edge)}});
    }
}

void HistogramWidget::paintAxis(QPainter& painter) const {
    const QRectF area = plotArea();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(palette().color(QPalette::WindowText));
    const QRectF above(area.left(), 0, area.width(), area.top() - edge / 2.0);
    painter.drawText(above, Qt::AlignRight | Qt::AlignBottom,
                     counted(sampleCount, QStringLiteral("1 sample"), QStringLiteral("%1 samples")));
    painter.drawText(above, Qt::AlignLeft | Qt::AlignBottom,
                     QStringLiteral("p50 %1").arg(timeText(statistics.p50, axisScale)));
    const QRectF below(area.left(), area.bottom() + edge, area.width(),
                       rect().bottom() - area.bottom() - edge);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, timeText(bins.lowest, axisScale));
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, timeText(bins.highest, axisScale));
}

}  // namespace et::visualizers

#include "visualizers/overview/runs_plot.h"

#include "visualizers/toolkit/histogram.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int runLines = 6;
constexpr int runsLetters = 32;
constexpr double runPoint = 2.5;
constexpr double barsShare = 0.28;
constexpr double plotsApart = 14;
constexpr std::size_t runBins = 40;
constexpr std::size_t maxRunPoints = 20'000;  // more than the pixels of any screen

using inspector::format::Meaning;

}  // namespace

RunsPlot::RunsPlot(QWidget* parent) : TipWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(QStringLiteral("Time of each run"));
}

void RunsPlot::show(std::vector<double> samples, inspector::TimeScale scale) {
    runs = std::move(samples);
    unit = scale;
    std::erase_if(runs, [](double each) { return !std::isfinite(each); });
    statistics = runs.empty() ? inspector::Statistics{} : inspector::summarize(runs);
    const double fence = runs.empty() ? 0 : inspector::outlierFence(runs);
    outlier.assign(runs.size(), false);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        outlier[i] = runs[i] > fence;
    }
    setVisible(runs.size() > 1);
    setAccessibleDescription(figures());
    update();
}

QString RunsPlot::figures() const {
    if (runs.empty()) {
        return {};
    }
    const auto outliers = static_cast<std::size_t>(std::ranges::count(outlier, true));
    const QString text =
        QStringLiteral("p50 %1 · p90 %2 · first %3 · %4")
            .arg(timeText(statistics.p50, unit), timeText(statistics.p90, unit), timeText(runs.front(), unit),
                 counted(runs.size(), QStringLiteral("1 run"), QStringLiteral("%1 runs")));
    return outliers == 0 ? text
                         : QStringLiteral("%1 · %2").arg(text, counted(outliers, QStringLiteral("1 outlier"),
                                                                       QStringLiteral("%1 outliers")));
}

QSize RunsPlot::sizeHint() const {
    return {fontMetrics().averageCharWidth() * runsLetters * 2, fontMetrics().height() * (runLines + 2)};
}

QSize RunsPlot::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * runsLetters, sizeHint().height()};
}

QRectF RunsPlot::pointsArea() const {
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(runPoint, line + 4, -width() * barsShare, -line - 2);
}

QRectF RunsPlot::barsArea() const {
    const QRectF points = pointsArea();
    return {points.right() + plotsApart, points.top(), width() - points.right() - plotsApart,
            points.height()};
}

/// The axis starts at 0, so that variation appears relative to the run time.
double RunsPlot::yOf(double value) const {
    const QRectF area = pointsArea();
    const double most = std::max(statistics.maximum, 1e-300);
    return area.bottom() - std::clamp(value / most, 0.0, 1.0) * area.height();
}

std::optional<std::size_t> RunsPlot::runAt(QPoint at) const {
    const QRectF area = pointsArea();
    if (runs.empty() || !area.adjusted(-runPoint, 0, runPoint, 0).contains(at)) {
        return std::nullopt;
    }
    const double place = (at.x() - area.left()) / area.width() * static_cast<double>(runs.size() - 1);
    return static_cast<std::size_t>(std::clamp(std::round(place), 0.0, static_cast<double>(runs.size() - 1)));
}

void RunsPlot::paintEvent(QPaintEvent*) {
    if (runs.empty()) {
        return;
    }
    PicturePainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, 0, width(), fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(figures(), Qt::ElideRight, width()));
    paintAxis(painter);
    paintBars(painter);
    paintPoints(painter);
}

void RunsPlot::paintAxis(QPainter& painter) const {
    const QRectF area = pointsArea();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.bottomLeft(), QPointF(width(), area.bottom()));
    painter.setPen(QPen(palette().color(QPalette::Mid), 1, Qt::DashLine));
    const double middle = yOf(statistics.p50);
    painter.drawLine(QPointF(area.left(), middle), QPointF(width(), middle));
    painter.setPen(palette().color(QPalette::WindowText));
    const QRectF below(0, area.bottom() + 2, area.width(), fontMetrics().height());
    painter.drawText(below, Qt::AlignLeft, QStringLiteral("run 1"));
    painter.drawText(below, Qt::AlignRight, QStringLiteral("run %1").arg(runs.size()));
    painter.drawText(QRectF(barsArea().left(), below.top(), barsArea().width(), below.height()),
                     Qt::AlignRight, QStringLiteral("up to %1").arg(timeText(statistics.maximum, unit)));
}

void RunsPlot::paintPoints(QPainter& painter) const {
    const QRectF area = pointsArea();
    const QColor plain = palette().color(QPalette::Highlight);
    const QColor odd = meaningColour(Meaning::Error, palette());
    const double last = static_cast<double>(std::max<std::size_t>(runs.size() - 1, 1));
    const std::size_t step = runs.size() / maxRunPoints + 1;
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i % step != 0 && !outlier[i]) {
            continue;
        }
        const QPointF at(area.left() + static_cast<double>(i) / last * area.width(), yOf(runs[i]));
        painter.setBrush(outlier[i] ? odd : plain);
        const double size = outlier[i] ? runPoint + 1 : runPoint;
        painter.drawEllipse(at, size, size);
    }
}

void RunsPlot::paintBars(QPainter& painter) const {
    const Histogram bins = histogram(runs, runBins);
    const QRectF area = barsArea();
    const double range = bins.highest - bins.lowest;
    QColor colour = palette().color(QPalette::Highlight);
    constexpr int fill = 150;
    colour.setAlpha(fill);
    for (std::size_t bin = 0; bin < bins.counts.size(); ++bin) {
        if (bins.counts[bin] == 0) {
            continue;
        }
        const auto count = static_cast<double>(bins.counts.size());
        const double low = bins.lowest + range * static_cast<double>(bin) / count;
        const double top = yOf(low + range / count);
        const double wide = area.width() * bins.counts[bin] / bins.tallest();
        painter.fillRect(QRectF(area.left(), top, std::max(wide, 2.0), std::max(yOf(low) - top - 1, 2.0)),
                         colour);
    }
}

QString RunsPlot::tipAt(QPoint at) const {
    const auto run = runAt(at);
    if (!run) {
        return figures();
    }
    const QString kind = outlier[*run] ? QStringLiteral(", an outlier") : QString();
    return QStringLiteral("run %1: %2%3").arg(*run + 1).arg(timeText(runs[*run], unit), kind);
}

}  // namespace et::visualizers

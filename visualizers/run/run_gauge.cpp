#include "visualizers/run/run_gauge.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QPolygonF>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace et::visualizers {

namespace {

using inspector::format::Meaning;

constexpr int gaugeLines = 8;
constexpr int gaugeStripLetters = 14;
constexpr double gaugesApart = 14;
constexpr double gaugeTimeShare = 2;  // width of its strip; each other strip has 1
constexpr double gaugeBandShare = 0.35;

}  // namespace

RunGauge::RunGauge(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("runGauge"));
    setAccessibleName(QStringLiteral("The device while the model runs"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RunGauge::setHistory(const GaugeHistory& history) {
    samples = history.samples();
    shown = gaugeStrips(history);
    summary = samples.empty() ? QString() : gaugeSummary(history);
    QStringList said{summary};
    for (const GaugeStrip& each : shown) {
        said.append(each.title);
    }
    setAccessibleDescription(said.join(QStringLiteral(" · ")));
    update();
}

QSize RunGauge::sizeHint() const {
    return {fontMetrics().averageCharWidth() * gaugeStripLetters * 6, fontMetrics().height() * gaugeLines};
}

QSize RunGauge::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * gaugeStripLetters * 2, sizeHint().height()};
}

double RunGauge::seconds() const {
    return samples.empty() ? 1 : std::max(samples.back().seconds, 1e-3);
}

QRectF RunGauge::area(std::size_t strip) const {
    const double line = fontMetrics().height();
    const double parts = static_cast<double>(shown.size()) - 1 + gaugeTimeShare;
    const double room = width() - gaugesApart * static_cast<double>(shown.size() + 1);
    const double part = std::max(room / parts, 1.0);
    const double before = strip == 0 ? 0 : gaugeTimeShare + static_cast<double>(strip) - 1;
    const double left = gaugesApart * static_cast<double>(strip + 1) + before * part;
    return {left, 2 * line + 6, part * (strip == 0 ? gaugeTimeShare : 1), height() - 3 * line - 10};
}

QPointF RunGauge::placeOf(const QRectF& area, const GaugeStrip& strip, double at, double value) const {
    const double height = strip.most > 0 ? value / strip.most : 0;
    return {area.left() + at / seconds() * area.width(), area.bottom() - height * area.height()};
}

void RunGauge::paintBand(QPainter& painter, const QRectF& area, const GaugeStrip& strip) const {
    QPolygonF outline;
    for (const GaugeStrip::Band& each : strip.band) {
        outline.append(placeOf(area, strip, each.seconds, each.most));
    }
    for (const GaugeStrip::Band& each : std::views::reverse(strip.band)) {
        outline.append(placeOf(area, strip, each.seconds, each.least));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(
        mixedColour(palette().color(QPalette::Base), palette().color(QPalette::Highlight), gaugeBandShare));
    painter.drawPolygon(outline);
    painter.setBrush(Qt::NoBrush);
}

void RunGauge::paintLines(QPainter& painter, const QRectF& area, const GaugeStrip& strip) const {
    painter.setPen(QPen(palette().color(QPalette::Highlight), strip.lines.size() > 1 ? 1 : 1.6));
    for (const auto& line : strip.lines) {
        QPolygonF places;
        for (const GaugeStrip::Point& each : line) {
            places.append(placeOf(area, strip, each.seconds, each.value));
        }
        places.size() == 1 ? painter.drawEllipse(places.first(), 1.5, 1.5) : painter.drawPolyline(places);
    }
    painter.setPen(QPen(meaningColour(Meaning::Error, palette()), 1, Qt::DashLine));
    for (const double at : strip.marks) {
        const double x = placeOf(area, strip, at, 0).x();
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

void RunGauge::paintStrip(QPainter& painter, std::size_t index) const {
    const GaugeStrip& strip = shown[index];
    const QRectF place = area(index);
    const int line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(place.left(), place.top() - line - 2, place.width(), line), Qt::AlignLeft,
                     fontMetrics().elidedText(strip.title, Qt::ElideRight, static_cast<int>(place.width())));
    painter.setPen(palette().color(QPalette::Midlight));
    painter.drawLine(place.topLeft(), place.topRight());
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    if (!strip.band.empty()) {
        paintBand(painter, place, strip);
    }
    paintLines(painter, place, strip);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRectF below(place.left(), place.bottom() + 2, place.width(), line);
    if (index == 0) {
        painter.drawText(below, Qt::AlignRight, QStringLiteral("%1 s").arg(seconds(), 0, 'f', 1));
    }
    painter.drawText(below, Qt::AlignLeft,
                     fontMetrics().elidedText(QStringLiteral("up to %1").arg(strip.mostText), Qt::ElideRight,
                                              static_cast<int>(place.width())));
}

void RunGauge::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (shown.empty()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::WindowText));
    const QRectF head(gaugesApart, 2, width() - 2 * gaugesApart, fontMetrics().height());
    painter.drawText(head, Qt::AlignLeft,
                     fontMetrics().elidedText(summary, Qt::ElideRight, static_cast<int>(head.width())));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        paintStrip(painter, i);
    }
}

QString RunGauge::tipAt(QPoint at) const {
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const QRectF place = area(i);
        if (at.x() < place.left() || at.x() > place.right() || samples.empty()) {
            continue;
        }
        const double moment = (at.x() - place.left()) / place.width() * seconds();
        return describe(*std::ranges::min_element(
            samples, {}, [&](const GaugeSample& each) { return std::abs(each.seconds - moment); }));
    }
    return {};
}

}  // namespace et::visualizers

#include "visualizers/run/run_gauge.h"

#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QLocale>
#include <QPolygonF>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace et::visualizers {

using inspector::format::Meaning;

namespace {

QString executionText(double nanoseconds) {
    return timeText(nanoseconds, inspector::TimeScale::Nanoseconds);
}

QString clockText(double hertz) {
    constexpr double perGiga = 1e-9;
    return QStringLiteral("%1 GHz").arg(hertz * perGiga, 0, 'f', 2);
}

QString heatText(double celsius) {
    return QStringLiteral("%1 °C").arg(celsius, 0, 'f', 1);
}

QString memoryText(double bytes) {
    return QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1);
}

/// The lowest and highest known core clock; nothing if none is known.
std::optional<std::pair<double, double>> clockRange(const DeviceReading& device) {
    std::optional<std::pair<double, double>> range;
    for (const double hertz : device.hertz) {
        if (hertz > 0) {
            range = range ? std::pair(std::min(range->first, hertz), std::max(range->second, hertz))
                          : std::pair(hertz, hertz);
        }
    }
    return range;
}

QString clocksText(const DeviceReading& device) {
    const auto range = clockRange(device);
    return !range ? QString()
           : range->first < range->second
               ? QStringLiteral("%1 to %2").arg(clockText(range->first), clockText(range->second))
               : clockText(range->second);
}

/// Gives an empty plot a non-zero height.
void finish(GaugeStrip& strip, QString (*text)(double)) {
    for (const auto& line : strip.lines) {
        for (const GaugeStrip::Point& each : line) {
            strip.most = std::max(strip.most, each.value);
        }
    }
    for (const GaugeStrip::Band& each : strip.band) {
        strip.most = std::max(strip.most, each.most);
    }
    strip.mostText = text(strip.most);
}

GaugeStrip timeStrip(const GaugeHistory& history) {
    const ExecutionTimes& all = history.times();
    GaugeStrip strip{
        .title = QStringLiteral("Execution: %1 (%2 to %3)")
                     .arg(executionText(all.last), executionText(all.least), executionText(all.most)),
        .lines = {{}}};
    for (const GaugeSample& each : history.samples()) {
        if (each.times.executions > 0) {
            strip.lines.front().push_back({each.seconds, each.times.average});
            strip.band.push_back({each.seconds, each.times.least, each.times.most});
        }
    }
    finish(strip, executionText);
    return strip;
}

GaugeStrip clockStrip(const GaugeHistory& history) {
    GaugeStrip strip{.title = QStringLiteral("Clock: %1").arg(clocksText(*history.device()))};
    for (const GaugeSample& each : history.samples()) {
        const std::size_t cores = each.device ? each.device->hertz.size() : 0;
        strip.lines.resize(std::max(strip.lines.size(), cores));
        for (std::size_t core = 0; core < cores; ++core) {
            if (const double hertz = each.device->hertz[core]; hertz > 0) {
                strip.lines[core].push_back({each.seconds, hertz});
            }
        }
    }
    finish(strip, clockText);
    return strip;
}

GaugeStrip heatStrip(const GaugeHistory& history) {
    GaugeStrip strip{.title = QStringLiteral("Temperature: %1").arg(heatText(*history.device()->celsius)),
                     .lines = {{}}};
    std::optional<std::uint64_t> throttled;
    for (const GaugeSample& each : history.samples()) {
        if (!each.device || !each.device->celsius) {
            continue;
        }
        strip.lines.front().push_back({each.seconds, *each.device->celsius});
        if (throttled && each.device->throttled > *throttled) {
            strip.marks.push_back(each.seconds);
        }
        throttled = each.device->throttled;
    }
    finish(strip, heatText);
    return strip;
}

GaugeStrip memoryStrip(const GaugeHistory& history) {
    GaugeStrip strip{
        .title = QStringLiteral("Memory available: %1").arg(memoryText(*history.device()->availableBytes)),
        .lines = {{}}};
    for (const GaugeSample& each : history.samples()) {
        if (each.device && each.device->availableBytes) {
            strip.lines.front().push_back({each.seconds, *each.device->availableBytes});
        }
    }
    finish(strip, memoryText);
    return strip;
}

constexpr int gaugeLines = 8;
constexpr int gaugeStripLetters = 14;
constexpr double gaugesApart = 14;
constexpr double gaugeTimeShare = 2;  // width of its strip; each other strip has 1
constexpr double gaugeBandShare = 0.35;

/// Execution time, clock of each core, temperature and available memory, as far as the device reports them.
/// Marks of the temperature are thermal throttling events.
std::vector<GaugeStrip> gaugeStrips(const GaugeHistory& history) {
    std::vector<GaugeStrip> strips;
    if (history.times().executions > 0) {
        strips.push_back(timeStrip(history));
    }
    if (const auto& device = history.device()) {
        if (clockRange(*device)) {
            strips.push_back(clockStrip(history));
        }
        if (device->celsius) {
            strips.push_back(heatStrip(history));
        }
        if (device->availableBytes) {
            strips.push_back(memoryStrip(history));
        }
    }
    return strips;
}

/// Values without a plot, in one line: "12 executions · core 1 · slowed down 3 times · memory pressure 2.5
/// %".
QString gaugeSummary(const GaugeHistory& history) {
    QStringList parts{
        counted(history.times().executions, QStringLiteral("1 execution"), QStringLiteral("%1 executions"))};
    const auto& device = history.device();
    if (!device) {
        return parts.join(QStringLiteral(" · "));
    }
    if (device->core) {
        parts.append(QStringLiteral("core %1").arg(*device->core));
    }
    if (const std::uint64_t times = history.slowdowns(); times > 0) {
        parts.append(counted(times, QStringLiteral("throttled once"), QStringLiteral("throttled %1 times")));
    }
    if (device->memoryPressure) {
        parts.append(QStringLiteral("memory pressure %1 %").arg(*device->memoryPressure, 0, 'f', 1));
    }
    const bool hasClock = clockRange(*device).has_value();
    if (!hasClock || !device->celsius) {
        parts.append(hasClock          ? QStringLiteral("temperature unknown")
                     : device->celsius ? QStringLiteral("clock unknown")
                                       : QStringLiteral("clock and temperature unknown"));
    }
    return parts.join(QStringLiteral(" · "));
}

/// One sample: "at 3.2 s: 12.3 µs, 10.1 to 20.4 µs of 812 executions · 1.80 GHz · 61.0 °C".
QString describe(const GaugeSample& sample) {
    QStringList parts;
    if (sample.times.executions > 0) {
        parts.append(QStringLiteral("%1, %2 to %3")
                         .arg(executionText(sample.times.average), executionText(sample.times.least),
                              executionText(sample.times.most)));
        parts.append(
            counted(sample.times.executions, QStringLiteral("1 execution"), QStringLiteral("%1 executions")));
    }
    if (const auto& device = sample.device) {
        if (const QString clocks = clocksText(*device); !clocks.isEmpty()) {
            parts.append(clocks);
        }
        if (device->celsius) {
            parts.append(heatText(*device->celsius));
        }
        if (device->availableBytes) {
            parts.append(QStringLiteral("%1 available").arg(memoryText(*device->availableBytes)));
        }
    }
    return QStringLiteral("after %1 s: %2")
        .arg(sample.seconds, 0, 'f', 1)
        .arg(parts.join(QStringLiteral(" · ")));
}

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

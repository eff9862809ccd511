#include "visualizers/run/gauge_strips.h"

#include "visualizers/toolkit/text.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace et::visualizers {

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

}  // namespace

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

}  // namespace et::visualizers

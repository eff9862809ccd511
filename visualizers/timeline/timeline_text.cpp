#include "visualizers/timeline/timeline_text.h"

#include "visualizers/timeline/timeline_statistics.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>
#include <string>

namespace et::visualizers {

namespace {}  // namespace

QString matchText(const TimelineScene& scene) {
    if (!scene.timeline() || scene.search().isEmpty()) {
        return {};
    }
    std::size_t found = 0;
    std::uint64_t ticks = 0;
    for (const Lane& lane : scene.timeline()->lanes) {
        for (const Span& span : lane.spans()) {
            if (scene.matches(0, span)) {
                ++found;
                ticks += span.end - span.start;
            }
        }
    }
    return found == 0 ? QStringLiteral("no matches")
                      : QStringLiteral("%1, %2").arg(
                            counted(found, QStringLiteral("1 match"), QStringLiteral("%1 matches")),
                            timeText(*scene.timeline(), static_cast<double>(ticks)));
}

QString timeText(const Timeline& timeline, double ticks) {
    return timeText(ticks / timeline.ticksPerUnit, timeline.blocks->options().target);
}

QString stretchText(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    const auto length = static_cast<double>(std::max<std::uint64_t>(to - from, 1));
    const auto percent = [&](std::uint64_t ticks) {
        return QString::number(100.0 * static_cast<double>(ticks) / length, 'f', 1);
    };
    const StretchStatistics held = computeUse(timeline, from, to);
    QStringList parts{timeText(timeline, static_cast<double>(to - from)),
                      counted(held.runs, QStringLiteral("1 run"), QStringLiteral("%1 runs"))};
    for (std::size_t lane = 0; lane < held.lanes.size(); ++lane) {
        const LaneKind kind = timeline.labels[lane].kind;
        const bool isFirst = lane == 0 || timeline.labels[lane - 1].kind != kind;
        const std::string title = kind == LaneKind::Phases && isFirst ? QStringLiteral("Phases").toStdString()
                                                                      : timeline.labels[lane].title;
        if (!title.empty()) {
            parts.append(QStringLiteral("%1: %2, %3 % busy")
                             .arg(toQString(title),
                                  counted(held.lanes[lane].started, QStringLiteral("1 event"),
                                          QStringLiteral("%1 events")),
                                  percent(held.lanes[lane].busy)));
        }
    }
    return parts.join(timelineSeparator());
}

QString spanText(const TimelineScene& scene, const SpanRef& place) {
    const Timeline& timeline = *scene.layer(place.layer).timeline;
    const Span& span = scene.spanOf(place);
    const auto length = static_cast<double>(span.end - span.start);
    const SpanName& name = timeline.spanName(span);
    QStringList parts{toQString(name.text), timeText(timeline, length)};
    if (!name.file.empty()) {
        parts.insert(1, toQString(name.file));
    }
    if (const auto row = timeline.rowOf(span)) {
        const inspector::Event& event = timeline.blocks->blocks()[row->block].events[row->event];
        const double median = event.statistics.p50 * timeline.ticksPerUnit;
        if (timeline.folded > 1 && event.samples.size() > 1) {
            parts.append(QStringLiteral("median of %1; p10 to p90: %2 to %3")
                             .arg(event.samples.size())
                             .arg(timeText(timeline, event.statistics.p10 * timeline.ticksPerUnit),
                                  timeText(timeline, event.statistics.p90 * timeline.ticksPerUnit)));
        } else if (event.samples.size() > 1 && median > 0) {
            parts.append(QStringLiteral("p50 of %1: %2 (%3%4 %)")
                             .arg(event.samples.size())
                             .arg(timeText(timeline, median))
                             .arg(length >= median ? QStringLiteral("+") : QString())
                             .arg(100 * (length / median - 1), 0, 'f', 1));
        }
    }
    const auto elsewhere =
        scene.showsDifference() ? scene.layer(place.layer).elsewhere.ticksOf(timeline, span) : std::nullopt;
    if (elsewhere && scene.overlaid() && !scene.layer(1).timeline->isOneRun()) {
        parts.append(QStringLiteral("p50 in the other trace: %1 (%2%3 %)")
                         .arg(timeText(timeline, *elsewhere))
                         .arg(length >= *elsewhere ? QStringLiteral("+") : QString())
                         .arg(100 * (length / *elsewhere - 1), 0, 'f', 1));
    }
    parts.append(QStringLiteral("starts at %1").arg(timeText(timeline, scene.timesOf(place).first)));
    if (timeline.stacked > 0) {
        parts.append(QStringLiteral("run %1").arg(place.lane + 1));
    }
    const auto row = timeline.blocks == scene.timeline()->blocks ? timeline.rowOf(span) : std::nullopt;
    for (const TimelinePin& pin : scene.pins()) {
        if (row && pin.row == row) {
            parts.append(QStringLiteral("note: %1").arg(pin.text));
        }
    }
    if (!timeline.runs.spans().empty() && !timeline.isOneRun()) {
        parts.append(QStringLiteral("run %1").arg(timeline.runAt(span.start) + 1));
    }
    return parts.join(timelineSeparator());
}

}  // namespace et::visualizers

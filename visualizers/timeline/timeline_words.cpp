// What a TimelineWidget says of times, matches, a measured stretch and the chosen event.
#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_statistics.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <span>

namespace et::visualizers {

namespace {

constexpr std::size_t namesShown = 4;

}  // namespace

QString TimelineWidget::matchText() const {
    if (!main() || searched.isEmpty()) {
        return {};
    }
    std::size_t found = 0;
    std::uint64_t ticks = 0;
    for (const Lane& lane : main()->lanes) {
        for (const Span& span : lane.spans()) {
            if (layers[0].painter.matches(span)) {
                ++found;
                ticks += span.end - span.start;
            }
        }
    }
    return found == 0 ? tr("nothing of that name")
                      : QStringLiteral("%1, %2").arg(counted(found, tr("1 match"), tr("%1 matches")),
                                                     timeText(static_cast<double>(ticks)));
}

QString TimelineWidget::timeText(double ticks) const {
    const QString unit = toQString(facts(main()->blocks->options().target).name);
    return QStringLiteral("%1 %2").arg(QString::number(ticks / main()->ticksPerUnit, 'g', 6), unit);
}

QString TimelineWidget::measurement() const {
    const auto range = chosen.range();
    if (!main() || !range || range->first < main()->origin || range->last < range->first) {
        return {};
    }
    const std::uint64_t from = range->first - main()->origin;
    const std::uint64_t to = range->last - main()->origin;
    const auto length = static_cast<double>(std::max<std::uint64_t>(to - from, 1));
    const auto percent = [&](std::uint64_t ticks) {
        return QString::number(100.0 * static_cast<double>(ticks) / length, 'f', 1);
    };
    const StretchStatistics held = statisticsOf(*main(), from, to);
    QStringList parts{tr("%1 long").arg(timeText(static_cast<double>(to - from))),
                      counted(held.runs, tr("1 run"), tr("%1 runs"))};
    for (std::size_t lane = 0; lane < held.lanes.size(); ++lane) {
        parts.append(tr("lane %1: %2, %3 % busy")
                         .arg(lane)
                         .arg(counted(held.lanes[lane].started, tr("1 event"), tr("%1 events")),
                              percent(held.lanes[lane].busy)));
    }
    QStringList names;
    for (const NamedTime& each : std::span(held.names).first(std::min(namesShown, held.names.size()))) {
        names.append(tr("%1 ×%2: %3 (%4 %)")
                         .arg(toQString(each.name))
                         .arg(each.count)
                         .arg(timeText(static_cast<double>(each.ticks)), percent(each.ticks)));
    }
    const QString separator = QStringLiteral("   ·   ");
    return names.isEmpty() ? parts.join(separator) : parts.join(separator) + u'\n' + names.join(separator);
}

/// The event with its row's median beside it.
QString TimelineWidget::describe(const Hit& hit) const {
    const Timeline& timeline = *layers[hit.layer].timeline;
    const auto length = static_cast<double>(hit.span.end - hit.span.start);
    QStringList parts{toQString(timeline.nameOf(hit.span)), tr("%1 long").arg(timeText(length))};
    if (const auto row = timeline.rowOf(hit.span)) {
        const inspector::Event& event = timeline.blocks->blocks()[row->block].events[row->event];
        const double median = event.statistics.p50 * timeline.ticksPerUnit;
        if (event.samples.size() > 1 && median > 0) {
            parts.append(tr("p50 %1 of %2 (%3%4 %)")
                             .arg(timeText(median))
                             .arg(event.samples.size())
                             .arg(length >= median ? QStringLiteral("+") : QString())
                             .arg(100 * (length / median - 1), 0, 'f', 1));
        }
    }
    parts.append(tr("from %1").arg(timeText(static_cast<double>(hit.span.start) + layers[hit.layer].shift)));
    if (!timeline.runs.spans().empty()) {
        parts.append(tr("run %1").arg(timeline.runAt(hit.span.start) + 1));
    }
    return parts.join(QStringLiteral("   ·   "));
}

QString TimelineWidget::pinned() const {
    return main() && current ? describe(*current) : QString();
}

}  // namespace et::visualizers

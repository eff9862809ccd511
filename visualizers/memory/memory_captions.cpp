#include "visualizers/memory/memory_captions.h"

#include "inspector/memory/memory_text.h"
#include "visualizers/toolkit/text.h"

#include <QStringList>

#include <algorithm>

namespace et::visualizers {

QString memoryHeadline(const MemoryPlan& plan, std::size_t at) {
    const inspector::MemoryTimeline& timeline = plan.timeline;
    const QString method = toQString(timeline.method->name);
    if (timeline.arenas.empty()) {
        return QStringLiteral("%1 plans no memory").arg(method);
    }
    const inspector::ArenaTimeline& arena = timeline.arenas[std::min(at, timeline.arenas.size() - 1)];
    QString text = QStringLiteral("%1, arena %2: %3")
                       .arg(method)
                       .arg(arena.arena.value)
                       .arg(toQString(describe(arena, timeline)));
    const std::size_t overlaps = timeline.overlaps.size();
    if (overlaps > 0) {
        text += QStringLiteral(". The plan overwrites live data: %1")
                    .arg(toQString(describe(timeline.overlaps.front(), timeline)));
        text += overlaps == 1 ? QString() : QStringLiteral(", and %1 more").arg(overlaps - 1);
    }
    return text;
}

QString memoryLegend(const PlanColours& colours) {
    QStringList parts;
    for (const LegendEntry& entry : colours.legend) {
        parts.append(QStringLiteral("<span style=\"color:%1\">■</span>&nbsp;%2")
                         .arg(entry.colour.name(), entry.text.toHtmlEscaped().replace(
                                                       QStringLiteral(" "), QStringLiteral("&nbsp;"))));
    }
    return parts.join(QStringLiteral(" &nbsp; ")) +
           QStringLiteral(" &nbsp; · &nbsp; W/S zoom · Shift-drag marks a range · ? lists all keys");
}

}  // namespace et::visualizers

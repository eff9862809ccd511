#include "inspector/roofline/roofline_points.h"

#include "inspector/events/event_rows.h"
#include "inspector/format/time_scale.h"

namespace et::inspector {

std::vector<RooflinePoint> rooflinePoints(const EventBlocks& blocks, const events::EventLimits& limits) {
    const events::EventRows rows = events::eventRows(blocks);
    const double perSecond = traits(blocks.options().target).perSecond;
    std::vector<RooflinePoint> points;
    for (const events::EventRow& row : rows.rows) {
        const auto found = limits.find(row.event);
        if (found == limits.end() || row.hasParts) {
            continue;
        }
        const events::EventLimit& limit = found->second;
        const double time = row.event->statistics.p50;
        points.push_back(
            {.block = row.blockAt,
             .event = static_cast<std::size_t>(row.event - row.block->events.data()),
             .row = static_cast<std::size_t>(&row - rows.rows.data()),
             .name = std::string(row.event->name),
             .delegated = row.event->delegated,
             .operations = limit.operations,
             .bytes = limit.bytes,
             .seconds = (time + limit.timeStep) / perSecond,
             .share = rows.selfShare(row).value_or(0),
             .least = limit.attainable.transform([&](double least) { return least / perSecond; }),
             .efficiency = limit.efficiency(time),
             .boundBy = limit.boundBy});
    }
    return points;
}

}  // namespace et::inspector

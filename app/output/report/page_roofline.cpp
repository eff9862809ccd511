#include "app/output/report/page_roofline.h"

#include "app/output/cells.h"
#include "app/output/report/html.h"
#include "app/output/roofline/roofline_picture.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/time_scale.h"
#include "inspector/roofline/roofline_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace et::output {
namespace {

using inspector::RooflinePoint;

double toWin(const RooflinePoint& point) {
    return point.least ? std::max(point.seconds - *point.least, 0.0) : 0;
}

/// Uses the time unit of the other tables.
Table limitTable(const std::vector<RooflinePoint>& points, const inspector::EventBlocks& blocks) {
    const inspector::TimeScale scale = blocks.options().target;
    const inspector::events::EventRows known = inspector::events::eventRows(blocks);
    const double perSecond = inspector::traits(scale).perSecond;
    const Measure time = measureOf(scale);
    Table out{.columns = {textColumn("operator"), textColumn("module"), numberColumn("p50", time),
                          numberColumn("attainable", "least time", time), numberColumn("win", "to win", time),
                          numberColumn("efficiency", Measure::Percent), textColumn("bound_by", "bound by"),
                          numberColumn("flops", "operations"), numberColumn("bytes", Measure::Bytes),
                          numberColumn("gflops", "GFLOP/s"), textColumn("#e")}};
    for (const RooflinePoint& point : points) {
        const inspector::events::EventRow& row = known.rows[point.row];
        out.rows.push_back(
            {inspector::events::readableOperator(*row.block, *row.event),
             inspector::events::readableModule(*row.block, *row.event), point.seconds * perSecond,
             point.least ? Cell(*point.least * perSecond) : Cell(), toWin(point) * perSecond,
             point.efficiency ? Cell(100 * *point.efficiency) : Cell(), point.boundBy, point.operations,
             point.bytes, point.seconds > 0 ? point.gigaops() : 0, static_cast<std::int64_t>(point.row)});
    }
    return out;
}

}  // namespace

std::string pageRoofline(const inspector::EventBlocks& blocks, const PageMachine& machine, std::size_t top) {
    if (machine.events == nullptr || blocks.options().target == inspector::TimeScale::Cycles) {
        return {};
    }
    std::vector<RooflinePoint> points = inspector::rooflinePoints(blocks, *machine.events);
    if (points.empty()) {
        return {};
    }
    std::string out = rooflinePicture(points, machine.machine, machine.threads);
    std::ranges::stable_sort(points, std::greater{}, toWin);
    const std::size_t all = points.size();
    points.resize(std::min(all, top));
    out += htmlTable(limitTable(points, blocks), "win");
    if (points.size() < all) {
        out += htmlParagraph(fmt::format("The first {} operators of {}.", points.size(), all), "faint");
    }
    return out;
}

}  // namespace et::output

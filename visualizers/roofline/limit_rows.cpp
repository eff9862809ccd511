#include "visualizers/roofline/limit_rows.h"

#include <algorithm>
#include <string>

namespace et::visualizers {

namespace {

constexpr double microsecondsOfSecond = 1e6;
constexpr double percentOfOne = 100;

}  // namespace

ReportRows limitRows(const inspector::RooflinePlot& plot) {
    ReportRows out;
    const auto column = [&](const char* id, const char* header, bool numeric, NumberStyle style) {
        out.table.columns.push_back({.id = id, .header = std::string(header), .numeric = numeric});
        out.styles.push_back(style);
    };
    out.table.indexed = false;
    column("name", "Operator", false, NumberStyle::Plain);
    column("to_win", "Potential (µs)", true, NumberStyle::Plain);
    column("time", "Time (µs)", true, NumberStyle::Plain);
    column("least", "Minimum (µs)", true, NumberStyle::Plain);
    column("efficiency", "Reaches", true, NumberStyle::Percent);
    column("bound_by", "Bound By", false, NumberStyle::Plain);
    column("rate", "GFLOP/s", true, NumberStyle::Plain);
    column("intensity", "Operations/Byte", true, NumberStyle::Plain);
    for (const inspector::RooflinePoint& point : plot.points()) {
        const double time = point.seconds * microsecondsOfSecond;
        const double shortest = point.least.value_or(0) * microsecondsOfSecond;
        out.table.rows.push_back({point.name, std::max(time - shortest, 0.0), time, shortest,
                                  percentOfOne * point.efficiency.value_or(0), point.boundBy, point.gigaops(),
                                  point.intensity()});
    }
    return out;
}

}  // namespace et::visualizers

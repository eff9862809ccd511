#include "visualizers/limits/limit_rows.h"

#include <QCoreApplication>

#include <algorithm>
#include <string>

namespace et::visualizers {

namespace {

std::string limitTr(const char* text) {
    return QCoreApplication::translate("limits", text).toStdString();
}

constexpr double microsecondsOfSecond = 1e6;
constexpr double percentOfOne = 100;

}  // namespace

ReportRows limitRows(const RooflineScene& scene) {
    ReportRows out;
    const auto column = [&](const char* id, const char* header, bool numeric, NumberStyle style) {
        out.table.columns.push_back({.id = id, .header = limitTr(header), .numeric = numeric});
        out.styles.push_back(style);
    };
    out.table.indexed = false;
    column("name", QT_TRANSLATE_NOOP("limits", "Operator"), false, NumberStyle::Plain);
    column("to_win", QT_TRANSLATE_NOOP("limits", "To Win (µs)"), true, NumberStyle::Plain);
    column("time", QT_TRANSLATE_NOOP("limits", "Time (µs)"), true, NumberStyle::Plain);
    column("least", QT_TRANSLATE_NOOP("limits", "Least (µs)"), true, NumberStyle::Plain);
    column("efficiency", QT_TRANSLATE_NOOP("limits", "Reaches"), true, NumberStyle::Percent);
    column("bound_by", QT_TRANSLATE_NOOP("limits", "Bound By"), false, NumberStyle::Plain);
    column("rate", QT_TRANSLATE_NOOP("limits", "GFLOP/s"), true, NumberStyle::Plain);
    column("intensity", QT_TRANSLATE_NOOP("limits", "Operations a Byte"), true, NumberStyle::Plain);
    for (const inspector::RooflinePoint& point : scene.points()) {
        const double time = point.seconds * microsecondsOfSecond;
        const double shortest = point.least.value_or(0) * microsecondsOfSecond;
        out.table.rows.push_back({point.name, std::max(time - shortest, 0.0), time, shortest,
                                  percentOfOne * point.efficiency.value_or(0), point.boundBy, point.gigaops(),
                                  point.intensity()});
    }
    return out;
}

}  // namespace et::visualizers

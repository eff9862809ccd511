#include "visualizers/shapes/tried_rows.h"

#include <algorithm>

namespace et::visualizers {

ReportRows triedRows(const ShapeStudy& study) {
    ReportRows out;
    const auto column = [&](const char* id, const char* header) {
        out.table.columns.push_back({.id = id, .header = std::string(header)});
    };
    out.table.indexed = false;
    column("verdict", "Verdict");
    column("place", "Place");
    column("what", "Sizes");
    column("culprit", "Operator");
    column("reason", "Reason");
    std::vector<const TriedSize*> order;
    for (const TriedSize& each : study.tried) {
        order.push_back(&each);
    }
    std::ranges::stable_sort(order, {},
                             [](const TriedSize* each) { return each->verdict != QStringLiteral("fail"); });
    for (const TriedSize* const each : order) {
        out.table.rows.push_back({each->verdict.toStdString(), each->place.toStdString(),
                                  each->what.toStdString(), each->culprit.toStdString(),
                                  each->reason.toStdString()});
    }
    return out;
}

}  // namespace et::visualizers

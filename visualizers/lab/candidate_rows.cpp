#include "visualizers/lab/candidate_rows.h"

#include "visualizers/lab/lab_text.h"

#include <cmath>

namespace et::visualizers {

namespace {

using inspector::format::Cell;

/// Four digits, because times are not more precise.
Cell timeCell(const std::optional<double>& milliseconds) {
    if (!milliseconds || *milliseconds <= 0) {
        return {};
    }
    const double scale = std::pow(10, 3 - std::floor(std::log10(*milliseconds)));
    return std::round(*milliseconds * scale) / scale;
}

}  // namespace

ReportRows candidateRows(const LabStudy& study, const std::vector<LabCandidate>& candidates) {
    constexpr double percent = 100;
    ReportRows out;
    const auto column = [&](const char* id, const char* header, bool numeric = true,
                            NumberStyle style = NumberStyle::Plain) {
        out.table.columns.push_back({.id = id, .header = std::string(header), .numeric = numeric});
        out.styles.push_back(style);
    };
    out.table.indexed = false;
    column("front", "Best", false);
    column("count", "In float");
    column("sqnr", "SQNR", false);
    column("error", "Error", true, NumberStyle::Percent);
    column("bytes", "Bytes", true, NumberStyle::Bytes);
    column("time_ms", "Time (ms)");
    column("sites", "Sites in float, and of other schemes", false);
    for (const LabCandidate& each : candidates) {
        const LabFigures& figures = each.figures;
        out.table.rows.push_back(
            {Cell(each.onFront ? "●" : ""),
             Cell(static_cast<std::uint64_t>(keptSites(study, each.choice).size())),
             Cell(figures.noise ? labDecibels(*figures.noise).toStdString() : std::string()),
             figures.noise && *figures.noise < labNonFiniteNoise ? Cell(percent * std::sqrt(*figures.noise))
                                                                 : Cell(),
             figures.bytes ? Cell(static_cast<std::uint64_t>(*figures.bytes)) : Cell(),
             timeCell(figures.milliseconds),
             Cell(isStudied(each.choice) ? labSites(study, each.choice).toStdString()
                                         : labChoiceText(study, each.choice).toStdString())});
    }
    return out;
}

}  // namespace et::visualizers

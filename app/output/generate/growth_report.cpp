#include "app/output/generate/growth_report.h"

#include "app/output/memory/cache_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Growth;
using inspector::GrowthFit;
using inspector::GrowthKind;
using inspector::GrowthRow;

constexpr std::int64_t growthSchema = 1;
constexpr double perPositions = 1000;

/// A value of a fit; empty if the fit failed.
Cell fitted(const GrowthFit& fit, double value) {
    return fit.kind == GrowthKind::Unknown ? Cell() : Cell(value);
}

std::vector<Cell> growthCells(const GrowthRow& row) {
    const GrowthFit& fit = row.fit;
    return {row.group,
            std::uint64_t{fit.samples},
            row.typical,
            100 * row.share,
            fitted(fit, fit.first),
            fitted(fit, fit.last),
            fitted(fit, fit.slope * perPositions),
            fitted(fit, fit.rSquared),
            optionalCell(fit.exponent),
            std::uint64_t{fit.outliers},
            std::string(inspector::growthKindName(fit.kind))};
}

Cell intervalCell(const inspector::Interval& interval, double factor = 1) {
    return List{Cell(interval.low * factor), Cell(interval.high * factor)};
}

Dict growthInfo(const GrowthRow& row) {
    const GrowthFit& fit = row.fit;
    const bool made = fit.kind != GrowthKind::Unknown;
    List positions;
    List times;
    for (const inspector::GrowthSample& sample : row.samples) {
        positions.emplace_back(sample.position);
        times.emplace_back(sample.time);
    }
    return {{"group", row.group},
            {"kind", std::string(inspector::growthKindName(fit.kind))},
            {"calls", std::uint64_t{fit.samples}},
            {"outliers", std::uint64_t{fit.outliers}},
            {"p50", row.typical},
            {"share", 100 * row.share},
            {"base", fitted(fit, fit.base)},
            {"per_position", fitted(fit, fit.slope)},
            {"per_position_interval", made ? intervalCell(fit.slopeInterval) : Cell()},
            {"r_squared", fitted(fit, fit.rSquared)},
            {"at_first", fitted(fit, fit.first)},
            {"at_last", fitted(fit, fit.last)},
            {"exponent", optionalCell(fit.exponent)},
            {"exponent_interval", fit.exponentInterval ? intervalCell(*fit.exponentInterval) : Cell()},
            {"positions", std::move(positions)},
            {"times", std::move(times)}};
}

}  // namespace

Table growthTable(const Growth& growth) {
    const std::string unit(inspector::traits(growth.unit).name);
    const auto measure = measureOf(growth.unit);
    const std::string place = growth.byPosition ? "position" : "call";
    const auto time = [&](std::string id, const std::string& name) {
        return numberColumn(std::move(id), fmt::format("{} ({})", name, unit), measure);
    };
    Table table{
        .columns = {textColumn("group"), numberColumn("calls"), time("p50", "p50"),
                    numberColumn("share", "share (%)", Measure::Percent),
                    time("at_first", "at first " + place), time("at_last", "at last " + place),
                    time("per_1000", fmt::format("per 1,000 {}s", place)), numberColumn("r_squared", "R²"),
                    numberColumn("exponent"), numberColumn("outliers"), textColumn("growth")},
        .indexed = false};
    for (const GrowthRow& row : growth.rows) {
        table.rows.push_back(growthCells(row));
        table.heat.push_back(row.share);
    }
    table.rows.push_back(growthCells(growth.all));
    table.heat.push_back(0);
    return table;
}

std::string growthSummary(const Growth& growth) {
    const GrowthFit& fit = growth.all.fit;
    double grows = 0;
    for (const GrowthRow& row : growth.rows) {
        const bool counts = row.fit.kind == GrowthKind::Linear || row.fit.kind == GrowthKind::Power;
        grows += counts ? row.share : 0;
    }
    if (growth.all.samples.empty()) {
        return {};
    }
    const auto [first, last] =
        std::ranges::minmax(growth.all.samples, {}, &inspector::GrowthSample::position);
    std::string text = fmt::format("{}: {} calls, {} {} to {}; ", growth.phase, growth.all.samples.size(),
                                   growth.byPosition ? "positions" : "calls", first.position, last.position);
    if (fit.kind == GrowthKind::Unknown) {
        return text + fmt::format("too few to detect growth (at least {} different ones needed)",
                                  inspector::minGrowthSamples);
    }
    return text + fmt::format(
                      "{} of the time grows with the context; a call takes {} at the first and {} at "
                      "the last",
                      readablePercent(grows), readableTime(fit.first, growth.unit),
                      readableTime(fit.last, growth.unit));
}

std::string growthJson(const Growth& growth, const std::string& phaseSource,
                       const executor::KvCachePlan& caches) {
    Dict info{{"target_time_scale", std::string(traits(growth.unit).name)},
              {"phase", growth.phase},
              {"phases", phaseSource},
              {"by", growth.byPosition ? "position" : "call"},
              {"groups", listOf(growth.rows, growthInfo)},
              {"all", growthInfo(growth.all)}};
    addHostCaches(info, caches);
    return jsonDocument(growthSchema, std::move(info));
}

}  // namespace et::output

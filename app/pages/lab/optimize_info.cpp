#include "app/pages/lab/optimize_info.h"

#include "app/pages/lab/closeness_info.h"
#include "app/pages/lab/lower_info.h"
#include "inspector/format/quantities.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::Column;
using inspector::report::Dict;
using inspector::report::List;
using inspector::report::Measure;
using inspector::report::Table;

constexpr double nanosecondsPerMillisecond = 1e6;

/// Names of the sites that are in float or, with `quantized`, of the others.
std::vector<std::string> siteNames(const OptimizeResult& result, const FloatSites& inFloat,
                                   bool quantized = false) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inFloat.size(); ++i) {
        if (inFloat[i] != quantized) {
            names.push_back(core::printable(result.sites[i].name));
        }
    }
    return names;
}

/// The shorter list of both.
std::string setText(const OptimizeResult& result, const FloatSites& inFloat) {
    const auto kept = siteNames(result, inFloat);
    const auto others = siteNames(result, inFloat, true);
    if (kept.empty() || others.empty()) {
        return kept.empty() ? "none" : "all";
    }
    return kept.size() <= others.size() ? fmt::format("{}", fmt::join(kept, ", "))
                                        : fmt::format("all but {}", fmt::join(others, ", "));
}

std::string pointDecibels(const OptimizePoint& point) {
    return point.decibels() ? fmt::format("{:.2f}", *point.decibels()) : "exact";
}

Table frontTable(const OptimizeResult& result) {
    Table table{
        .columns = {Column{.id = "chosen", .header = ""},
                    Column{.id = "in_float", .header = "in float", .numeric = true},
                    Column{.id = "sqnr", .header = "SQNR (dB)", .numeric = true},
                    Column{.id = "error", .header = "error (%)", .numeric = true},
                    Column{.id = "bytes", .header = "bytes", .numeric = true, .measure = Measure::None},
                    Column{.id = "time", .header = "time (ms)", .numeric = true, .measure = Measure::None},
                    Column{.id = "sites", .header = "sites in float"}},
        .rows = {},
        .indexed = false,
        .heat = {}};
    constexpr double percent = 100;
    for (const OptimizePoint& point : result.points) {
        if (!point.onFront && !point.chosen) {
            continue;
        }
        table.rows.push_back(
            {Cell(point.chosen ? "*" : ""), Cell(std::uint64_t{point.count()}), Cell(pointDecibels(point)),
             Cell(fmt::format("{:.3g}", percent * point.error())), Cell(point.bytes),
             Cell(point.nanoseconds ? fmt::format("{:.4g}", *point.nanoseconds / nanosecondsPerMillisecond)
                                    : ""),
             Cell(point.isStatic() ? setText(result, point.inFloat)
                                   : fmt::format("{}; others {}", setText(result, point.inFloat),
                                                 backends::xnnpack::schemeName(point.scheme)))});
    }
    return table;
}

const OptimizePoint* chosenPoint(const OptimizeResult& result) {
    const auto found = std::ranges::find(result.points, true, &OptimizePoint::chosen);
    return found == result.points.end() ? nullptr : &*found;
}

std::string choiceText(const OptimizeResult& result, const OptimizeSettings& settings) {
    const OptimizePoint* point = chosenPoint(result);
    if (point == nullptr || !result.choice) {
        return result.unmet.empty()
                   ? std::string()
                   : fmt::format("nothing respects {}: {}\n", core::printable(settings.budget.text),
                                 core::printable(result.unmet));
    }
    std::string text =
        fmt::format("chosen for {}: {} of {} sites in float, {} bytes", core::printable(settings.budget.text),
                    point->count(), result.sites.size(), result.choice->bytes);
    if (point->nanoseconds) {
        text += fmt::format(", {}", inspector::report::readableTime(*point->nanoseconds));
    }
    text += point->isStatic() ? "" : fmt::format("; others {}", backends::xnnpack::schemeName(point->scheme));
    text += "\n" + closenessText("its outputs, run here", result.choice->closeness);
    for (std::size_t i = 0; i < point->inFloat.size(); ++i) {
        if (point->inFloat[i]) {
            const SiteReport& site = result.sites[i];
            text += fmt::format("  in float: {}{}{}{}\n", core::printable(site.name),
                                site.module.empty() ? "" : fmt::format(" ({})", core::printable(site.module)),
                                site.line.empty() ? "" : fmt::format(", {}", core::printable(site.line)),
                                site.rule.empty() ? "" : fmt::format(": {}", core::printable(site.rule)));
        }
    }
    return text;
}

List nameList(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
}

Cell millisecondCell(const std::optional<double>& nanoseconds) {
    return nanoseconds ? Cell(*nanoseconds / nanosecondsPerMillisecond) : Cell();
}

List inFloatList(const OptimizeResult& result, const FloatSites& inFloat) {
    List names;
    for (std::size_t i = 0; i < inFloat.size(); ++i) {
        if (inFloat[i]) {
            names.emplace_back(result.sites[i].name);
        }
    }
    return names;
}

Dict pointInfo(const OptimizeResult& result, const OptimizePoint& point) {
    return {{"in_float", inFloatList(result, point.inFloat)},
            {"sqnr_db", point.decibels() ? Cell(*point.decibels()) : Cell()},
            {"error", point.error()},
            {"bytes", point.bytes},
            {"time_ms", millisecondCell(point.nanoseconds)},
            {"on_front", point.onFront},
            {"chosen", point.chosen},
            {"scheme", backends::xnnpack::schemeName(point.scheme)}};
}

Cell choiceInfo(const OptimizeResult& result) {
    const OptimizePoint* point = chosenPoint(result);
    if (point == nullptr || !result.choice) {
        return {};
    }
    return Dict{{"in_float", inFloatList(result, point->inFloat)},
                {"bytes", result.choice->bytes},
                {"time_ms", millisecondCell(point->nanoseconds)},
                {"scheme", backends::xnnpack::schemeName(point->scheme)},
                {"outputs", closenessInfo(result.choice->closeness)}};
}

Dict optimizedSiteInfo(const SiteReport& site) {
    Dict info{{"site", site.name},
              {"op", site.kind},
              {"module", site.module},
              {"line", site.line},
              {"nodes", nameList(site.nodes)}};
    if (!site.rule.empty()) {
        info.emplace_back("rule", site.rule);
    }
    return info;
}

}  // namespace

std::string optimizeText(const OptimizeResult& result, const OptimizeSettings& settings,
                         inspector::report::Style style) {
    std::string text = fmt::format(
        "{}: {} sites, {} calibration and {} evaluation cases; {} variants measured in {:.1f} s{}\n",
        core::printable(result.method), result.sites.size(), result.calibrationCases, result.evaluationCases,
        result.variants, result.searchSeconds, result.complete ? "" : ": there was no time for more");
    text += inspector::report::render(frontTable(result), inspector::report::Format::Table, style);
    return text + choiceText(result, settings);
}

Dict optimizeInfo(const OptimizeResult& result, const OptimizeSettings& settings) {
    List sites;
    std::ranges::transform(result.sites, std::back_inserter(sites), optimizedSiteInfo);
    List points;
    List others;
    for (const OptimizePoint& point : result.points) {
        (point.isStatic() ? points : others).emplace_back(pointInfo(result, point));
    }
    return {{"method", result.method},
            {"calibration_cases", std::uint64_t{result.calibrationCases}},
            {"evaluation_cases", std::uint64_t{result.evaluationCases}},
            {"variants", std::uint64_t{result.variants}},
            {"seconds", result.searchSeconds},
            {"complete", result.complete},
            {"budget", settings.budget.text.empty() ? Cell() : Cell(settings.budget.text)},
            {"sites", std::move(sites)},
            {"points", std::move(points)},
            {"other_schemes", std::move(others)},
            {"chosen", choiceInfo(result)},
            {"unmet", result.unmet}};
}

}  // namespace et::app

#include "app/output/lab/optimize_info.h"

#include "app/output/cells.h"
#include "app/output/lab/lower_info.h"
#include "app/output/lab/output_error_info.h"
#include "app/tasks/lab/delegate_choice.h"
#include "inspector/format/decibel_cell.h"
#include "runtime/core/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::output {
namespace {

/// "delegate 3 (aten_mul_tensor and 2 more of layers.0, model.py:12)"
std::string delegateName(const tasks::DelegateChoice& each) {
    std::string name = fmt::format("delegate {} (", each.index);
    name += each.name.empty() ? std::string("no operator") : core::printable(each.name);
    name += each.nodes.size() > 1 ? fmt::format(" and {} more", each.nodes.size() - 1) : "";
    name += each.module.empty() ? "" : fmt::format(" of {}", core::printable(each.module));
    name += each.line.empty() ? "" : fmt::format(", {}", core::printable(each.line));
    return name + ")";
}

std::string costText(const tasks::DelegateChoice& each) {
    return each.inside && each.outside ? fmt::format("{} inside, {} as kernel calls",
                                                     readableTime(*each.inside), readableTime(*each.outside))
                                       : std::string();
}

/// Reason for the choice.
std::string reasonText(const tasks::DelegateChoice& each) {
    std::string text = costText(each);
    if (each.gain) {
        const auto& gain = *each.gain;
        text +=
            fmt::format("{}without it a run is {} {} [{}, {}]", text.empty() ? "" : "; ",
                        readableTime(std::abs(gain.nanoseconds)), gain.nanoseconds > 0 ? "faster" : "slower",
                        readableTime(gain.interval.low), readableTime(gain.interval.high));
        text += !each.isPortable && gain.isCertain && gain.nanoseconds > 0 ? ", but misses the budget" : "";
    }
    return text;
}

std::string delegateChoiceText(const std::vector<tasks::DelegateChoice>& delegates) {
    if (delegates.empty()) {
        return {};
    }
    const auto out = std::ranges::count(delegates, true, &tasks::DelegateChoice::isPortable);
    std::string text = fmt::format("delegates: {} of {} kept\n",
                                   static_cast<std::ptrdiff_t>(delegates.size()) - out, delegates.size());
    for (const tasks::DelegateChoice& each : delegates) {
        const std::string reason = reasonText(each);
        text += fmt::format("  {}: {}{}{}\n", each.isPortable ? "portable" : "delegated", delegateName(each),
                            reason.empty() ? "" : ": ", reason);
    }
    return text;
}

/// docs/reference/json_quantization.md, optimize.
List delegateChoiceInfo(const std::vector<tasks::DelegateChoice>& delegates) {
    return listOf(delegates, [&](const tasks::DelegateChoice& each) {
        Cell gain;
        if (each.gain) {
            gain = Dict{{"ms", each.gain->nanoseconds / nanosecondsPerMillisecond},
                        {"low_ms", each.gain->interval.low / nanosecondsPerMillisecond},
                        {"high_ms", each.gain->interval.high / nanosecondsPerMillisecond},
                        {"certain", each.gain->isCertain}};
        }
        return Dict{{"delegate", std::uint64_t{each.index}},
                    {"nodes", listOf(each.nodes)},
                    {"operator", each.name},
                    {"module", each.module},
                    {"line", each.line},
                    {"inside_ms", millisecondCell(each.inside)},
                    {"outside_ms", millisecondCell(each.outside)},
                    {"saved_without", std::move(gain)},
                    {"portable", each.isPortable}};
    });
}

/// Names of the sites with a scheme or, with `others`, with another one.
std::vector<std::string> siteNames(const tasks::OptimizeResult& result, const tasks::SiteSchemes& schemes,
                                   const tasks::SiteScheme& which, bool others = false) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
        if ((schemes[i] == which) != others) {
            names.push_back(core::printable(result.sites[i].name));
        }
    }
    return names;
}

/// The shorter of the two lists.
std::string setText(const tasks::OptimizeResult& result, const tasks::SiteSchemes& schemes) {
    const auto kept = siteNames(result, schemes, {});
    const auto others = siteNames(result, schemes, {}, true);
    if (kept.empty() || others.empty()) {
        return kept.empty() ? "none" : "all";
    }
    return kept.size() <= others.size() ? fmt::format("{}", fmt::join(kept, ", "))
                                        : fmt::format("all except {}", fmt::join(others, ", "));
}

/// The most frequent scheme.
tasks::SiteScheme usualScheme(const tasks::SiteSchemes& schemes) {
    std::map<tasks::SiteScheme, std::size_t> counts;
    for (const tasks::SiteScheme& each : schemes) {
        ++counts[each];
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    return most == counts.end() ? tasks::SiteScheme() : most->first;
}

/// "float: add_2; w8a8-dynamic: linear, linear_1; others w8a8-static"
std::string schemesText(const tasks::OptimizeResult& result, const tasks::SiteSchemes& schemes) {
    const tasks::SiteScheme usual = usualScheme(schemes);
    std::string text;
    const std::set<tasks::SiteScheme> used(schemes.begin(), schemes.end());
    for (const tasks::SiteScheme& each : used) {
        if (each != usual) {
            text += fmt::format("{}: {}; ", tasks::siteSchemeName(each),
                                fmt::join(siteNames(result, schemes, each), ", "));
        }
    }
    return fmt::format("{}{} {}", text, text.empty() ? "all" : "others", tasks::siteSchemeName(usual));
}

Table frontTable(const tasks::OptimizeResult& result) {
    const bool isPlain = std::ranges::all_of(result.points, &tasks::OptimizePoint::isStatic);
    Table table{.columns = {Column{.id = "chosen", .header = ""}, numberColumn("in_float", "in float"),
                            numberColumn("sqnr", "SQNR (dB)"), numberColumn("error", "error (%)"),
                            numberColumn("bytes"), numberColumn("time", "time (ms)"),
                            textColumn("sites", isPlain ? "sites in float" : "sites in float, or schemes")},
                .indexed = false};
    constexpr double percent = 100;
    for (const tasks::OptimizePoint& point : result.points) {
        if (!point.onFront && !point.chosen) {
            continue;
        }
        table.rows.push_back(
            {Cell(point.chosen ? "*" : ""), Cell(std::uint64_t{point.count()}),
             Cell(decibelText(point.decibels())), Cell(fmt::format("{:.3g}", percent * point.error())),
             Cell(point.bytes),
             Cell(point.nanoseconds ? fmt::format("{:.4g}", *point.nanoseconds / nanosecondsPerMillisecond)
                                    : ""),
             Cell(point.isStatic() ? setText(result, point.schemes) : schemesText(result, point.schemes))});
    }
    return table;
}

const tasks::OptimizePoint* chosenPoint(const tasks::OptimizeResult& result) {
    const auto found = std::ranges::find(result.points, true, &tasks::OptimizePoint::chosen);
    return found == result.points.end() ? nullptr : &*found;
}

std::string choiceText(const tasks::OptimizeResult& result, const tasks::OptimizeSettings& settings) {
    const tasks::OptimizePoint* point = chosenPoint(result);
    if (point == nullptr || !result.choice) {
        return result.unmet.empty()
                   ? std::string()
                   : fmt::format("no program meets {}: {}\n", core::printable(settings.budget.text),
                                 core::printable(result.unmet));
    }
    std::string text =
        fmt::format("chosen for {}: {} of {} sites in float, {} bytes", core::printable(settings.budget.text),
                    point->count(), result.sites.size(), result.choice->bytes);
    if (point->nanoseconds) {
        text += fmt::format(", {}", readableTime(*point->nanoseconds));
    }
    const tasks::SiteScheme usual =
        point->isStatic() ? tasks::SiteScheme(tasks::allSchemes().front()) : usualScheme(point->schemes);
    text += point->isStatic() ? "" : fmt::format("; {} unless listed", tasks::siteSchemeName(usual));
    text += "\n" + closenessText("outputs of the program, run here", result.choice->closeness);
    for (std::size_t i = 0; i < point->schemes.size(); ++i) {
        if (point->schemes[i] != usual) {
            const tasks::SiteReport& site = result.sites[i];
            text += fmt::format("  {}: {}{}{}{}\n",
                                point->schemes[i] ? tasks::siteSchemeName(point->schemes[i]) : "in float",
                                core::printable(site.name),
                                site.module.empty() ? "" : fmt::format(" ({})", core::printable(site.module)),
                                site.line.empty() ? "" : fmt::format(", {}", core::printable(site.line)),
                                site.rule.empty() ? "" : fmt::format(": {}", core::printable(site.rule)));
        }
    }
    return text + delegateChoiceText(result.choice->delegates);
}

List inFloatList(const tasks::OptimizeResult& result, const tasks::SiteSchemes& schemes) {
    List names;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
        if (!schemes[i]) {
            names.emplace_back(result.sites[i].name);
        }
    }
    return names;
}

/// The scheme shared by all quantized sites; otherwise "mixed", or "float" if there are none.
std::string commonScheme(const tasks::SiteSchemes& schemes) {
    std::set<tasks::SiteScheme> used(schemes.begin(), schemes.end());
    used.erase(tasks::SiteScheme());
    return used.size() == 1 ? tasks::siteSchemeName(*used.begin()) : used.empty() ? "float" : "mixed";
}

Dict schemesInfo(const tasks::OptimizeResult& result, const tasks::SiteSchemes& schemes) {
    Dict info;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
        info.emplace_back(result.sites[i].name, tasks::siteSchemeName(schemes[i]));
    }
    return info;
}

Dict pointInfo(const tasks::OptimizeResult& result, const tasks::OptimizePoint& point) {
    Dict info{{"in_float", inFloatList(result, point.schemes)},
              {"sqnr_db", inspector::format::decibelCell(point.decibels())},
              {"error", point.error()},
              {"bytes", point.bytes},
              {"time_ms", millisecondCell(point.nanoseconds)},
              {"on_front", point.onFront},
              {"chosen", point.chosen},
              {"scheme", commonScheme(point.schemes)}};
    if (!point.isStatic()) {
        info.emplace_back("schemes", schemesInfo(result, point.schemes));
    }
    return info;
}

Cell choiceInfo(const tasks::OptimizeResult& result) {
    const tasks::OptimizePoint* point = chosenPoint(result);
    if (point == nullptr || !result.choice) {
        return {};
    }
    return Dict{{"in_float", inFloatList(result, point->schemes)},
                {"bytes", result.choice->bytes},
                {"time_ms", millisecondCell(point->nanoseconds)},
                {"scheme", commonScheme(point->schemes)},
                {"schemes", schemesInfo(result, point->schemes)},
                {"delegates", delegateChoiceInfo(result.choice->delegates)},
                {"except", listOf(result.choice->settings.except)},
                {"outputs", closenessInfo(result.choice->closeness)}};
}

Dict optimizedSiteInfo(const tasks::SiteReport& site) {
    Dict info = siteMembers(site);
    if (!site.rule.empty()) {
        info.emplace_back("rule", site.rule);
    }
    return info;
}

}  // namespace

std::string optimizeText(const tasks::OptimizeResult& result, const tasks::OptimizeSettings& settings,
                         Style style) {
    std::string text = fmt::format(
        "{}: {} sites, {} calibration and {} evaluation cases; {} variants measured in {:.1f} s{}\n",
        core::printable(result.method), result.sites.size(), result.calibrationCases, result.evaluationCases,
        result.variants, result.searchSeconds, result.complete ? "" : "; time limit reached");
    text += render(frontTable(result), Format::Table, style);
    return text + choiceText(result, settings);
}

Dict optimizePointInfo(const tasks::OptimizeResult& result, const tasks::OptimizePoint& point) {
    return pointInfo(result, point);
}

Dict optimizeInfo(const tasks::OptimizeResult& result, const tasks::OptimizeSettings& settings) {
    List points;
    List others;
    for (const tasks::OptimizePoint& point : result.points) {
        (point.isStatic() ? points : others).emplace_back(pointInfo(result, point));
    }
    return {{"method", result.method},
            {"calibration_cases", std::uint64_t{result.calibrationCases}},
            {"evaluation_cases", std::uint64_t{result.evaluationCases}},
            {"variants", std::uint64_t{result.variants}},
            {"seconds", result.searchSeconds},
            {"complete", result.complete},
            {"budget", settings.budget.text.empty() ? Cell() : Cell(settings.budget.text)},
            {"sites", listOf(result.sites, optimizedSiteInfo)},
            {"points", std::move(points)},
            {"other_schemes", std::move(others)},
            {"chosen", choiceInfo(result)},
            {"warnings", listOf(result.warnings)},
            {"unmet", result.unmet}};
}

}  // namespace et::output

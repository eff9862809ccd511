#include "app/output/lab/sensitivity_info.h"

#include "app/output/lab/output_error_info.h"
#include "app/output/lab/remedy_info.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace et::output {
namespace {

/// Infinite if the outputs are equal, or if the site cannot be quantized.
double onlyDecibels(const tasks::SiteSensitivity& each) {
    return each.only ? each.only->sqnrDecibels.value_or(std::numeric_limits<double>::infinity())
                     : std::numeric_limits<double>::infinity();
}

std::vector<const tasks::SiteSensitivity*> mostSensitiveFirst(const tasks::SensitivityResult& result) {
    std::vector<const tasks::SiteSensitivity*> sites;
    for (const tasks::SiteSensitivity& each : result.sites) {
        sites.push_back(&each);
    }
    std::ranges::stable_sort(sites, {},
                             [](const tasks::SiteSensitivity* each) { return onlyDecibels(*each); });
    return sites;
}

/// The SQNR with all other sites quantized, with its uncertainty from rounding.
std::string allButText(const tasks::SiteSensitivity& each) {
    std::string text = decibelText(each.allBut);
    if (each.allButRange) {
        text += fmt::format(" ±{:.2f}", (each.allButRange->high - each.allButRange->low) / 2);
    }
    return text;
}

/// Includes the range due to rounding.
Dict closenessInfo(const tasks::OutputError& closeness, const std::optional<tasks::DecibelRange>& range) {
    Dict info = output::closenessInfo(closeness);
    if (range) {
        info.emplace_back("sqnr_low_db", range->low);
        info.emplace_back("sqnr_high_db", range->high);
    }
    return info;
}

Table sensitivityTable(const tasks::SensitivityResult& result) {
    Table table{
        .columns = {textColumn("site"), textColumn("module"), numberColumn("only", "only it (dB)"),
                    numberColumn("weights", "its weight (dB)"),
                    numberColumn("activations", "its activations (dB)"),
                    numberColumn("one_more_bit", "9 bits (dB)"), numberColumn("bias", "its bias (dB)"),
                    numberColumn("all_but", "all but it (dB)"), textColumn("cause", "why")},
        .indexed = false};
    for (const tasks::SiteSensitivity* each : mostSensitiveFirst(result)) {
        table.rows.push_back({Cell(core::printable(each->site.name)),
                              Cell(core::printable(each->site.module)), Cell(decibelText(each->only)),
                              Cell(decibelText(each->onlyWeights)), Cell(decibelText(each->onlyActivations)),
                              Cell(decibelText(each->oneMoreBit)), Cell(decibelText(each->biasRounding)),
                              Cell(allButText(*each)),
                              Cell(each->site.rule.empty() ? each->cause : "in float: " + each->site.rule)});
    }
    return table;
}

Cell outputInfo(const std::optional<tasks::OutputRange>& output) {
    if (!output) {
        return {};
    }
    return Dict{{"seen", rangeInfo(output->seen)},
                {"used", rangeInfo(output->used)},
                {"calibrated", rangeInfo(output->calibrated)},
                {"clipped", output->clipped},
                {"channels", std::uint64_t{output->channels}},
                {"outlier_channels", std::uint64_t{output->outliers}},
                {"share_of_others", output->othersShare}};
}

Dict siteInfo(const tasks::SiteSensitivity& each) {
    const tasks::SiteReport& site = each.site;
    Dict info = siteMembers(site);
    info.emplace_back("weight_bytes", site.weightBytes);
    if (!site.rule.empty()) {
        info.emplace_back("rule", site.rule);
        return info;
    }
    info.emplace_back("schemes", listOf(site.takes, backends::xnnpack::schemeName));
    const auto add = [&](std::string key, const std::optional<tasks::OutputError>& closeness) {
        info.emplace_back(std::move(key), closeness ? Cell(output::closenessInfo(*closeness)) : Cell());
    };
    add("only", each.only);
    add("only_weights", each.onlyWeights);
    add("only_activations", each.onlyActivations);
    info.emplace_back("all_but", each.allBut ? Cell(closenessInfo(*each.allBut, each.allButRange)) : Cell());
    add("one_more_bit", each.oneMoreBit);
    add("bias_rounding", each.biasRounding);
    info.emplace_back("output", outputInfo(each.output));
    info.emplace_back("cause", each.cause);
    return info;
}

std::string_view sourceName(tasks::QuantizerSource source) {
    switch (source) {
        case tasks::QuantizerSource::Calibration:
            return "calibration";
        case tasks::QuantizerSource::Record:
            return "record";
        case tasks::QuantizerSource::Both:
            return "both";
    }
    return {};
}

std::string_view sourceText(tasks::QuantizerSource source) {
    switch (source) {
        case tasks::QuantizerSource::Calibration:
            return "";
        case tasks::QuantizerSource::Record:
            return "quantizers of the ETRecord, compared with its graph without them; weights are "
                   "unchanged\n";
        case tasks::QuantizerSource::Both:
            return "quantizers and weights of the quantized ETRecord, compared with the float graph\n";
    }
    return {};
}

}  // namespace

std::string sensitivityText(const tasks::SensitivityResult& result, Style style) {
    std::string text = fmt::format("{}: {} sites, {} calibration and {} evaluation cases, {:.1f} s\n",
                                   core::printable(result.method), result.sites.size(),
                                   result.calibrationCases, result.evaluationCases, result.seconds);
    text += sourceText(result.source);
    text += closenessText("all quantized", result.all);
    if (result.allRange) {
        text += fmt::format("  {:.2f} to {:.2f} dB if the last bits of activations differ\n",
                            result.allRange->low, result.allRange->high);
    }
    text += result.allWeights ? closenessText("weights alone", *result.allWeights) : std::string();
    text += closenessText("activations alone", result.allActivations);
    return text + render(sensitivityTable(result), Format::Table, style) +
           remedyTrialsText(result.remedies, style);
}

Dict sensitivityInfo(const tasks::SensitivityResult& result) {
    List ranking;
    for (const tasks::SiteSensitivity* each : mostSensitiveFirst(result)) {
        if (each->only) {
            ranking.emplace_back(each->site.name);
        }
    }
    return {{"method", result.method},
            {"calibration_cases", std::uint64_t{result.calibrationCases}},
            {"evaluation_cases", std::uint64_t{result.evaluationCases}},
            {"seconds", result.seconds},
            {"quantizers", std::string(sourceName(result.source))},
            {"all_quantized", closenessInfo(result.all, result.allRange)},
            {"weights_only_all", result.allWeights ? Cell(closenessInfo(*result.allWeights)) : Cell()},
            {"activations_only_all", closenessInfo(result.allActivations)},
            {"ranking_only", std::move(ranking)},
            {"sites", listOf(result.sites, siteInfo)},
            {"warnings", listOf(result.warnings)},
            {"remedies", remedyTrialsInfo(result.remedies)}};
}

}  // namespace et::output

#include "app/output/lab/quantize_info.h"

#include "app/output/lab/lower_info.h"
#include "app/output/lab/output_error_info.h"
#include "app/output/lab/remedy_info.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::output {
namespace {

std::size_t quantizedSites(const tasks::QuantizeResult& result) {
    return static_cast<std::size_t>(std::ranges::count_if(
        result.sites, [](const tasks::QuantizedSite& each) { return each.site.rule.empty(); }));
}

/// "0.00163 to 0.0052", or a single scale.
std::string weightText(const tasks::QuantizedSite& site) {
    if (site.weightScales.empty()) {
        return {};
    }
    const auto [least, most] = std::ranges::minmax(site.weightScales);
    return least == most ? fmt::format("{:.3g}", least) : fmt::format("{:.3g} to {:.3g}", least, most);
}

Table siteTable(const tasks::QuantizeResult& result) {
    Table table{.columns = {textColumn("site"), textColumn("op"), textColumn("module"), textColumn("scheme"),
                            textColumn("scale"), numberColumn("zero_point", "zero point"),
                            textColumn("weight", "weight scales")},
                .indexed = false};
    for (const tasks::QuantizedSite& quantized : result.sites) {
        const tasks::SiteReport& site = quantized.site;
        const bool known = quantized.output.has_value();
        table.rows.push_back(
            {Cell(core::printable(site.name)), Cell(site.kind), Cell(core::printable(site.module)),
             Cell(site.rule.empty() ? backends::xnnpack::schemeName(site.scheme) : std::string("float")),
             Cell(known ? fmt::format("{:.4g}", quantized.output->scale) : std::string()),
             known ? Cell(std::int64_t{quantized.output->zeroPoint}) : Cell(), Cell(weightText(quantized))});
    }
    return table;
}

/// "layer_norm (aten.layer_norm.default), model.py:12": how messages identify an operator.
std::string operatorText(std::string_view name, std::string_view target, std::string_view line) {
    return fmt::format("{} ({}){}{}", core::printable(name), core::printable(target),
                       line.empty() ? "" : ", ", line);
}

Dict quantizedSiteInfo(const tasks::QuantizedSite& quantized) {
    const tasks::SiteReport& site = quantized.site;
    Dict info = siteMembers(site);
    if (!site.rule.empty()) {
        info.emplace_back("rule", site.rule);
        return info;
    }
    info.emplace_back("scheme", backends::xnnpack::schemeName(site.scheme));
    info.emplace_back("scale",
                      quantized.output ? Cell(static_cast<double>(quantized.output->scale)) : Cell());
    info.emplace_back("zero_point",
                      quantized.output ? Cell(std::int64_t{quantized.output->zeroPoint}) : Cell());
    info.emplace_back("weight_scales",
                      std::vector<double>(quantized.weightScales.begin(), quantized.weightScales.end()));
    return info;
}

Dict scaleInfo(const tasks::ScaleReport& scale) {
    return {{"values", listOf(scale.values)},
            {"exported", listOf(scale.exported)},
            {"scale", static_cast<double>(scale.numbers.scale)},
            {"zero_point", std::int64_t{scale.numbers.zeroPoint}},
            {"range", rangeInfo(scale.range)},
            {"seen", rangeInfo(scale.seen)}};
}

}  // namespace

std::string quantizeText(const tasks::QuantizeResult& result, Style style) {
    std::string text =
        fmt::format("{}: {} of {} sites quantized, {} calibration case{}\n", core::printable(result.method),
                    quantizedSites(result), result.sites.size(), result.cases, result.cases == 1 ? "" : "s");
    text += result.remedies ? remedyText(*result.remedies) : std::string();
    text += render(siteTable(result), Format::Table, style);
    for (const auto& [site, output, weightScales] : result.sites) {
        if (!site.rule.empty()) {
            text +=
                fmt::format("in float: {}: {}\n", operatorText(site.name, site.kind, site.line), site.rule);
        }
    }
    for (const tasks::FloatOperator& each : result.others) {
        text += fmt::format("in float: {}: {}\n", operatorText(each.name, each.target, each.line), each.rule);
    }
    text += lowerText(result.lowered);
    return text + (result.outputs ? closenessText("outputs of the program, run here", *result.outputs)
                                  : std::string());
}

Dict quantizeInfo(const tasks::QuantizeResult& result) {
    List others;
    for (const tasks::FloatOperator& each : result.others) {
        others.emplace_back(
            Dict{{"operator", each.name}, {"target", each.target}, {"line", each.line}, {"rule", each.rule}});
    }
    return {{"method", result.method},
            {"cases", std::uint64_t{result.cases}},
            {"sites", listOf(result.sites, quantizedSiteInfo)},
            {"scales", listOf(result.scales, scaleInfo)},
            {"in_float", std::move(others)},
            {"remedies", result.remedies ? Cell(remedyInfo(*result.remedies)) : Cell()},
            {"warnings", listOf(result.warnings)},
            {"lowered", lowerInfo(result.lowered)},
            {"outputs", result.outputs ? Cell(closenessInfo(*result.outputs)) : Cell()}};
}

}  // namespace et::output

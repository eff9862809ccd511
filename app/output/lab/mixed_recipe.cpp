#include "app/output/lab/mixed_recipe.h"

#include "inspector/format/python_text.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using backends::xnnpack::ObserverKind;
using backends::xnnpack::QuantizationScheme;
using backends::xnnpack::SchemeKind;
using inspector::format::pythonString;

using SitesOf = std::map<QuantizationScheme, std::vector<const tasks::SiteReport*>>;

SitesOf sitesByScheme(const tasks::QuantizeResult& result) {
    SitesOf sites;
    for (const tasks::QuantizedSite& each : result.sites) {
        if (each.site.rule.empty()) {
            sites[each.site.scheme].push_back(&each.site);
        }
    }
    return sites;
}

bool hasKind(const SitesOf& sites, SchemeKind kind) {
    for (const auto& [scheme, list] : sites) {
        if (scheme.kind == kind) {
            return true;
        }
    }
    return false;
}

std::string listImports(const SitesOf& sites, const RecipeObserver& observer) {
    const bool isStatic = hasKind(sites, SchemeKind::Static8);
    const bool isDynamic = hasKind(sites, SchemeKind::Dynamic8);
    std::string text = "import torch\n";
    text += isStatic && !observer.name.empty() ? "from dataclasses import replace\n" : "";
    text += "from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner\n";
    text += isStatic || isDynamic ? R"(from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
    XNNPACKQuantizer,
    get_symmetric_quantization_config,
)
)"
                                  : "";
    text += "from executorch.exir import to_edge_transform_and_lower\n";
    text +=
        hasKind(sites, SchemeKind::Dynamic4) ? "from torchao.quantization.granularity import PerGroup\n" : "";
    text += isStatic && !observer.name.empty()
                ? fmt::format("from torchao.quantization.pt2e import {}\n", observer.name)
                : std::string();
    text += isStatic || isDynamic
                ? "from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e\n"
                  "from torchao.quantization.pt2e.quantizer.composable_quantizer import ComposableQuantizer\n"
                : "";
    std::string configs;
    configs += hasKind(sites, SchemeKind::Dynamic4) ? "Int8DynamicActivationIntxWeightConfig, " : "";
    configs += hasKind(sites, SchemeKind::Weights8) ? "Int8WeightOnlyConfig, " : "";
    return text + (configs.empty()
                       ? std::string()
                       : fmt::format("from torchao.quantization.quant_api import {}quantize_\n", configs));
}

constexpr std::string_view halfModule = R"(

class InHalf(torch.nn.Module):
    """Computes in float16, between casts."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner.half()

    def forward(self, *inputs):
        return self.inner(*(each.half() for each in inputs)).float()
)";

/// Lines that replace modules before the model is exported.
std::string moduleLines(const QuantizationScheme& scheme,
                        const std::vector<const tasks::SiteReport*>& sites) {
    std::string text;
    std::set<std::string_view> modules;
    for (const tasks::SiteReport* site : sites) {
        const bool isOperator = site->module.empty() || site->weightBytes == 0;
        if (isOperator) {
            text +=
                fmt::format("    # {} ({}) is not a separate module: wrap it in one for {}\n",
                            core::printable(site->name),
                            site->line.empty() ? core::printable(site->module) : core::printable(site->line),
                            schemeName(scheme));
        } else if (modules.insert(site->module).second && scheme.kind == SchemeKind::Half) {
            const std::string name = pythonString(site->module);
            text += fmt::format("    model.set_submodule({0}, InHalf(model.get_submodule({0})))\n", name);
        }
    }
    if (scheme.kind == SchemeKind::Half || modules.empty()) {
        return text;
    }
    text += "    modules = {\n";
    for (const std::string_view module : modules) {
        text += fmt::format("        {},\n", pythonString(module));
    }
    const std::string config =
        scheme.kind == SchemeKind::Dynamic4
            ? fmt::format(
                  "Int8DynamicActivationIntxWeightConfig(\n        weight_dtype=torch.int4, "
                  "weight_granularity=PerGroup({})\n    )",
                  scheme.block)
            : std::string("Int8WeightOnlyConfig()");
    return text + fmt::format(
                      "    }}\n    config = {}\n"
                      "    quantize_(model, config, filter_fn=lambda module, name, chosen=modules: name in "
                      "chosen)\n",
                      config);
}

/// Lines of a quantizer for the nodes of one scheme, appended to `quantizers`.
std::string quantizerLines(const std::vector<const tasks::SiteReport*>& sites, bool dynamic,
                           const RecipeObserver& observer) {
    std::string text = fmt::format("    nodes = {{  # of the exported program, with {} scales\n",
                                   dynamic ? "dynamic" : "static");
    for (const tasks::SiteReport* site : sites) {
        text += recipeSiteLine(*site);
    }
    text += fmt::format(
        "    }}\n    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic={})\n",
        dynamic ? "True" : "False");
    text += dynamic ? std::string() : observerLines(observer, "config");
    return text + R"(    quantizer = XNNPACKQuantizer().set_global(config)
    quantizer.set_filter_function(lambda node, chosen=nodes: node.name in chosen)
    quantizers.append(quantizer)
)";
}

}  // namespace

RecipeObserver recipeObserver(ObserverKind kind) {
    switch (kind) {
        case ObserverKind::MinMax:
            return {.name = "MinMaxObserver"};
        case ObserverKind::MovingAverage:
            return {.name = "MovingAverageMinMaxObserver"};
        case ObserverKind::Histogram:
            return {};
        case ObserverKind::Percentile:
            return {.note = "# torchao has no percentile observer: HistogramObserver also clips outliers.\n"};
        case ObserverKind::SquareError:
            return {
                .note =
                    "# torchao has no such observer: HistogramObserver also minimizes the squared error.\n"};
    }
    return {};
}

std::string observerLines(const RecipeObserver& observer, std::string_view config) {
    if (observer.name.empty()) {
        return {};
    }
    return fmt::format(
        "    activation = replace({0}.input_activation, "
        "observer_or_fake_quant_ctr={1}.with_args(eps=2**-12))\n"
        "    {0} = replace({0}, input_activation=activation, output_activation=activation)\n",
        config, observer.name);
}

std::string recipeSiteLine(const tasks::SiteReport& site) {
    return fmt::format("        {},  # {}{}{}\n", pythonString(site.name),
                       site.module.empty() ? "the model itself" : core::printable(site.module),
                       site.line.empty() ? "" : ", ", core::printable(site.line));
}

std::string recipeLowering(std::span<const std::string> except) {
    std::string text;
    std::string partitioner = "XnnpackPartitioner";
    if (!except.empty()) {
        text += "\n\nPORTABLE = {  # nodes of the Edge graph that are slower in a delegate\n";
        for (const std::string& node : except) {
            text += fmt::format("    {},\n", pythonString(node));
        }
        text += R"(}


class Partitioner(XnnpackPartitioner):
    def partition(self, exported_program):
        result = super().partition(exported_program)
        for node in result.tagged_exported_program.graph.nodes:
            if node.name in PORTABLE:
                node.meta.pop('delegation_tag', None)
        return result
)";
        partitioner = "Partitioner";
    }
    return text + fmt::format(R"(

def lower(exported):
    return to_edge_transform_and_lower(exported, partitioner=[{}()]).to_executorch()
)",
                              partitioner);
}

std::string mixedRecipe(const tasks::QuantizeResult& result, const tasks::QuantizeSettings& settings) {
    const SitesOf sites = sitesByScheme(result);
    const bool isStatic = hasKind(sites, SchemeKind::Static8);
    const bool hasQuantizers = isStatic || hasKind(sites, SchemeKind::Dynamic8);
    const RecipeObserver observer = isStatic ? recipeObserver(settings.observer) : RecipeObserver();
    std::string text = std::string(observer.note) + listImports(sites, observer);
    text += hasKind(sites, SchemeKind::Half) ? halfModule : "";
    text += R"(

def quantize(model, calibration):
    """`calibration`: tuples of inputs, one per call."""
    model = model.eval()
)";
    for (const auto& [scheme, list] : sites) {
        const bool isModules = scheme.kind != SchemeKind::Static8 && scheme.kind != SchemeKind::Dynamic8;
        text += isModules ? moduleLines(scheme, list) : std::string();
    }
    if (!hasQuantizers) {
        return text + "    return torch.export.export(model, calibration[0])\n" +
               recipeLowering(settings.except);
    }
    text += "    quantizers = []\n";
    for (const auto& [scheme, list] : sites) {
        const bool isPlain = scheme.kind == SchemeKind::Static8 || scheme.kind == SchemeKind::Dynamic8;
        text += isPlain ? quantizerLines(list, scheme.isDynamic(), observer) : std::string();
    }
    text += R"(    exported = torch.export.export(model, calibration[0]).module()
    prepared = prepare_pt2e(exported, ComposableQuantizer(quantizers))
    for inputs in calibration:
        prepared(*inputs)
    return torch.export.export(convert_pt2e(prepared), calibration[0])
)";
    return text + recipeLowering(settings.except);
}

}  // namespace et::output

#include "app/output/lab/quantize_recipe.h"

#include "app/output/lab/mixed_recipe.h"
#include "app/output/lab/recipe_parts.h"
#include "app/output/lab/remedy_recipe.h"
#include "inspector/format/python_text.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using backends::xnnpack::QuantizationScheme;
using backends::xnnpack::SchemeKind;
using inspector::format::pythonString;

/// The schemes of all quantized sites.
std::set<QuantizationScheme> usedSchemes(const tasks::QuantizeResult& result) {
    std::set<QuantizationScheme> used;
    for (const tasks::QuantizedSite& each : result.sites) {
        if (each.site.rule.empty()) {
            used.insert(each.site.scheme);
        }
    }
    return used;
}

/// Sites that could be quantized but are not, and that the exporter would quantize.
std::vector<const tasks::SiteReport*> keptSites(const tasks::QuantizeResult& result) {
    std::vector<const tasks::SiteReport*> kept;
    for (const tasks::QuantizedSite& each : result.sites) {
        if (each.site.isLeftInFloat()) {
            kept.push_back(&each.site);
        }
    }
    return kept;
}

std::string keepLines(const tasks::QuantizeResult& result) {
    const auto kept = keptSites(result);
    if (kept.empty()) {
        return {};
    }
    std::string text = "    keep = {  # nodes of the exported program that stay in float\n";
    for (const tasks::SiteReport* site : kept) {
        text += recipeSiteLine(*site);
    }
    return text + "    }\n    quantizer.set_filter_function(lambda node: node.name not in keep)\n";
}

std::string quantizerRecipe(const tasks::QuantizeResult& result, const tasks::QuantizeSettings& settings,
                            bool dynamic) {
    const RecipeObserver observer = dynamic ? RecipeObserver() : recipeObserver(settings.observer);
    const RemedyRecipe remedies = remedyRecipe(result);
    std::string text = "import torch\n";
    text += observer.name.empty() ? "" : "from dataclasses import replace\n";
    text += R"(from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (
    XNNPACKQuantizer,
    get_symmetric_quantization_config,
)
from executorch.exir import to_edge_transform_and_lower
)";
    text += observer.name.empty() ? std::string()
                                  : fmt::format("from torchao.quantization.pt2e import {}\n", observer.name);
    text += R"(from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
)";
    text += remedies.functions;
    text += R"(

def quantize(model, calibration):
    """`calibration`: tuples of inputs, one per call."""
)";
    text +=
        fmt::format("    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic={})\n",
                    dynamic ? "True" : "False");
    text += observerLines(observer, "config");
    text += "    quantizer = XNNPACKQuantizer().set_global(config)\n" + keepLines(result);
    text += remedies.beforeExport;
    text += R"(    exported = torch.export.export(model.eval(), calibration[0]).module()
    prepared = prepare_pt2e(exported, quantizer)
    for inputs in calibration:
        prepared(*inputs)
)";
    text += remedies.afterPreparing;
    text += remedies.afterConverting.empty()
                ? "    return torch.export.export(convert_pt2e(prepared), calibration[0])\n"
                : "    converted = convert_pt2e(prepared)\n" + remedies.afterConverting +
                      "    return torch.export.export(converted, calibration[0])\n";
    return std::string(observer.note) + text + recipeLowering(settings.except);
}

std::string weightRecipe(const tasks::QuantizeResult& result, const tasks::QuantizeSettings& settings,
                         const QuantizationScheme& scheme) {
    const bool blocks = scheme.kind == SchemeKind::Dynamic4;
    const std::string_view config = blocks ? "Int8DynamicActivationIntxWeightConfig" : "Int8WeightOnlyConfig";
    std::string text = R"(import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
)";
    text += blocks ? "from torchao.quantization.granularity import PerGroup\n" : "";
    text += fmt::format("from torchao.quantization.quant_api import {}, quantize_\n", config);
    text += "\n\ndef quantize(model, example_inputs):\n    modules = {\n";
    for (const tasks::QuantizedSite& each : result.sites) {
        if (each.site.rule.empty()) {
            text += fmt::format("        {},\n", pythonString(each.site.module));
        }
    }
    text += blocks ? fmt::format(
                         "    }}\n    config = {}(weight_dtype=torch.int4, "
                         "weight_granularity=PerGroup({}))\n",
                         config, scheme.block)
                   : fmt::format("    }}\n    config = {}()\n", config);
    text +=
        "    quantize_(model.eval(), config, filter_fn=lambda module, name: name in modules)\n"
        "    return torch.export.export(model, example_inputs)\n";
    return text + recipeLowering(settings.except);
}

/// `half()` of the whole model; modules that stay in float convert their input to float32 and their output to
/// float16.
std::string halfRecipe(const tasks::QuantizeResult& result, const tasks::QuantizeSettings& settings) {
    std::string text = R"(import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower


class InFloat(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner.float()

    def forward(self, *inputs):
        return self.inner(*(each.float() for each in inputs)).half()


class InHalf(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, *inputs):
        return self.inner(*(each.half() for each in inputs)).float()


def quantize(model, example_inputs):
    model = model.eval().half()
)";
    std::set<std::string_view> modules;
    for (const tasks::QuantizedSite& each : result.sites) {
        if (!each.site.rule.empty() && !each.site.module.empty()) {
            modules.insert(each.site.module);
        }
    }
    for (const std::string_view module : modules) {
        const std::string name = pythonString(module);
        text += fmt::format("    model.set_submodule({}, InFloat(model.get_submodule({})))\n", name, name);
    }
    return text + "    return torch.export.export(InHalf(model), example_inputs)\n" +
           recipeLowering(settings.except);
}

}  // namespace

std::string quantizeRecipe(const tasks::QuantizeResult& result, const tasks::QuantizeSettings& settings) {
    const std::set<QuantizationScheme> used = usedSchemes(result);
    const bool isAllHalf = used.size() == 1 && used.begin()->kind == SchemeKind::Half;
    if (used.size() > 1 || (isAllHalf && !result.halfInDelegate)) {
        return mixedRecipe(result, settings);
    }
    const QuantizationScheme scheme = used.empty() ? settings.sites.scheme : *used.begin();
    switch (scheme.kind) {
        case SchemeKind::Half:
            return halfRecipe(result, settings);
        case SchemeKind::Static8:
        case SchemeKind::Dynamic8:
            return quantizerRecipe(result, settings, scheme.isDynamic());
        case SchemeKind::Weights8:
        case SchemeKind::Dynamic4:
            break;
    }
    return weightRecipe(result, settings, scheme);
}

}  // namespace et::output

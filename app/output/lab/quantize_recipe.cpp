#include "app/output/lab/quantize_recipe.h"

#include "app/output/lab/mixed_recipe.h"
#include "app/tasks/lab/quantize_run.h"
#include "inspector/format/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using backends::xnnpack::QuantizationScheme;
using backends::xnnpack::SchemeKind;
using inspector::format::pythonString;

/// Python code for the remedies in a recipe; a member is empty if no code is needed.
struct RemedyRecipe {
    std::string functions;        ///< definitions
    std::string beforeExport;     ///< lines that change `model`
    std::string afterPreparing;   ///< lines that change `prepared`, after it has seen all inputs
    std::string afterConverting;  ///< about `converted`
};

template <class Number>
std::string numbersText(const std::vector<Number>& numbers) {
    std::string text;
    for (const Number number : numbers) {
        text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", number);
    }
    return "[" + text + "]";
}

constexpr std::string_view equalizeFunction = R"(

def equalize(model):
    """Divides channels in one module and multiplies them in the next ones: outputs do not change."""
    for maker, readers, factors in EQUALIZED:
        factors = torch.tensor(factors)
        module = model.get_submodule(maker)
        module.weight.data /= factors.reshape(-1, *[1] * (module.weight.dim() - 1))
        if module.bias is not None:
            module.bias.data /= factors
        for reader in readers:
            weight = model.get_submodule(reader).weight.data
            groups = factors.reshape(-1, weight.shape[1])
            rows = groups.repeat_interleave(weight.shape[0] // groups.shape[0], 0)
            weight *= rows.reshape(*rows.shape, *[1] * (weight.dim() - 2))
)";

constexpr std::string_view rangesFunction = R"(

def set_ranges(prepared):
    for node in prepared.graph.nodes:
        if node.op == "call_module" and node.args and node.args[0].name in RANGES:
            scale, zero_point = RANGES[node.args[0].name]
            numbers = torch.tensor([scale]), torch.tensor([zero_point])
            prepared.get_submodule(node.target).calculate_qparams = lambda numbers=numbers: numbers
)";

constexpr std::string_view biasFunction = R"(

def correct_biases(converted):
    nodes = {node.name: node for node in converted.graph.nodes}
    for name, shifts in SHIFTS.items():
        bias = converted.get_parameter(nodes[name].args[2].target)
        bias.data -= torch.tensor(shifts)
)";

/// Returns an empty text if no pair was equalized.
std::string pairLines(const tasks::RemedyReport& report) {
    std::string lines;
    for (const tasks::EqualizedPair& pair : report.pairs) {
        if (!pair.applied) {
            continue;
        }
        std::vector<std::string> readers;
        std::ranges::transform(pair.readerModules, std::back_inserter(readers), pythonString);
        lines += fmt::format("    ({}, [{}], {}),\n", pythonString(pair.module), fmt::join(readers, ", "),
                             numbersText(pair.factors));
    }
    return lines;
}

/// Lines for scales whose observer differs from the default.
std::string rangeLines(const tasks::QuantizeResult& result) {
    std::string lines;
    for (const tasks::ScaleReport& scale : result.scales) {
        const bool chosen =
            std::ranges::contains(result.remedies->observers, scale.values, &tasks::ChosenObserver::values);
        for (const std::string& name : chosen ? scale.exported : std::vector<std::string>()) {
            lines += fmt::format("    {}: ({:.9g}, {}),\n", pythonString(name), scale.numbers.scale,
                                 scale.numbers.zeroPoint);
        }
    }
    return lines;
}

std::string shiftLines(const tasks::RemedyReport& report) {
    std::string lines;
    for (const tasks::CorrectedBias& bias : report.biases) {
        lines += bias.isNew ? fmt::format("    # {} has no bias: add a zero bias to its module first.\n",
                                          core::printable(bias.site))
                            : std::string();
        lines += fmt::format("    {}: {},\n", pythonString(bias.site), numbersText(bias.shifts));
    }
    return lines;
}

RemedyRecipe remedyRecipe(const tasks::QuantizeResult& result) {
    RemedyRecipe recipe;
    if (!result.remedies) {
        return recipe;
    }
    if (const std::string lines = pairLines(*result.remedies); !lines.empty()) {
        recipe.functions += "\nEQUALIZED = [  # module, modules that read it, divisors of its channels\n" +
                            lines + "]\n" + std::string(equalizeFunction);
        recipe.beforeExport = "    equalize(model)\n";
    }
    if (const std::string lines = rangeLines(result); !lines.empty()) {
        recipe.functions += "\nRANGES = {  # scale and zero point of nodes of the exported program\n" +
                            lines + "}\n" + std::string(rangesFunction);
        recipe.afterPreparing = "    set_ranges(prepared)\n";
    }
    if (const std::string lines = shiftLines(*result.remedies); !lines.empty()) {
        recipe.functions += "\nSHIFTS = {  # shifts of channel means caused by quantization\n" + lines +
                            "}\n" + std::string(biasFunction);
        recipe.afterConverting = "    correct_biases(converted)\n";
    }
    return recipe;
}

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

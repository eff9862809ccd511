#include "app/pages/lab/quantize_recipe.h"

#include "app/pages/lab/remedy_recipe.h"
#include "inspector/format/python_text.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

namespace et::app {
namespace {

using backends::xnnpack::ObserverKind;
using backends::xnnpack::SchemeKind;
using inspector::report::pythonString;

/// Sites that could be quantized and are not, which the exporter would quantize.
std::vector<const SiteReport*> keptSites(const QuantizeResult& result) {
    std::vector<const SiteReport*> kept;
    for (const QuantizedSite& each : result.sites) {
        if (each.site.rule == keptByName || each.site.rule == keptBySearch) {
            kept.push_back(&each.site);
        }
    }
    return kept;
}

/// The observer's name in torchao; empty: the quantizer's own. Nothing like it is there for some.
struct ObserverName {
    std::string_view name;
    std::string_view note;
};
ObserverName observerName(ObserverKind kind) {
    switch (kind) {
        case ObserverKind::MinMax:
            return {"MinMaxObserver", {}};
        case ObserverKind::MovingAverage:
            return {"MovingAverageMinMaxObserver", {}};
        case ObserverKind::Histogram:
            return {};
        case ObserverKind::Percentile:
            return {{}, "# torchao has no percentile observer: HistogramObserver gives up ends as well.\n"};
        case ObserverKind::SquareError:
            return {{},
                    "# torchao has no such observer: HistogramObserver looks for a small square error as "
                    "well.\n"};
    }
    return {};
}

constexpr std::string_view lowering = R"(

def lower(exported):
    return to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()]).to_executorch()
)";

std::string keepLines(const QuantizeResult& result) {
    const auto kept = keptSites(result);
    if (kept.empty()) {
        return {};
    }
    std::string text = "    keep = {  # nodes of the exported program that stay in float\n";
    for (const SiteReport* site : kept) {
        text += fmt::format("        {},  # {}{}{}\n", pythonString(site->name),
                            site->module.empty() ? "the model itself" : core::printable(site->module),
                            site->line.empty() ? "" : ", ", site->line);
    }
    return text + "    }\n    quantizer.set_filter_function(lambda node: node.name not in keep)\n";
}

std::string quantizerRecipe(const QuantizeResult& result, const QuantizeSettings& settings) {
    const bool dynamic = settings.scheme.isDynamic();
    const ObserverName observer = dynamic ? ObserverName() : observerName(settings.observer);
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
    """`calibration`: tuples of inputs, one a call."""
)";
    text +=
        fmt::format("    config = get_symmetric_quantization_config(is_per_channel=True, is_dynamic={})\n",
                    dynamic ? "True" : "False");
    if (!observer.name.empty()) {
        text += fmt::format(
            "    activation = replace(config.input_activation, "
            "observer_or_fake_quant_ctr={}.with_args(eps=2**-12))\n"
            "    config = replace(config, input_activation=activation, "
            "output_activation=activation)\n",
            observer.name);
    }
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
    return std::string(observer.note) + text + std::string(lowering);
}

std::string weightRecipe(const QuantizeResult& result, const QuantizeSettings& settings) {
    const bool blocks = settings.scheme.kind == SchemeKind::Dynamic4;
    const std::string_view config = blocks ? "Int8DynamicActivationIntxWeightConfig" : "Int8WeightOnlyConfig";
    std::string text = R"(import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import to_edge_transform_and_lower
)";
    text += blocks ? "from torchao.quantization.granularity import PerGroup\n" : "";
    text += fmt::format("from torchao.quantization.quant_api import {}, quantize_\n", config);
    text += "\n\ndef quantize(model, example_inputs):\n    modules = {\n";
    for (const QuantizedSite& each : result.sites) {
        if (each.site.rule.empty()) {
            text += fmt::format("        {},\n", pythonString(each.site.module));
        }
    }
    text += blocks ? fmt::format(
                         "    }}\n    config = {}(weight_dtype=torch.int4, "
                         "weight_granularity=PerGroup({}))\n",
                         config, settings.scheme.block)
                   : fmt::format("    }}\n    config = {}()\n", config);
    text +=
        "    quantize_(model.eval(), config, filter_fn=lambda module, name: name in modules)\n"
        "    return torch.export.export(model, example_inputs)\n";
    return text + std::string(lowering);
}

/// `half()` of the whole model; modules that stay in float get float32 and give float16.
std::string halfRecipe(const QuantizeResult& result) {
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
    for (const QuantizedSite& each : result.sites) {
        if (!each.site.rule.empty() && !each.site.module.empty()) {
            modules.insert(each.site.module);
        }
    }
    for (const std::string_view module : modules) {
        const std::string name = pythonString(module);
        text += fmt::format("    model.set_submodule({}, InFloat(model.get_submodule({})))\n", name, name);
    }
    return text + "    return torch.export.export(InHalf(model), example_inputs)\n" + std::string(lowering);
}

}  // namespace

std::string quantizeRecipe(const QuantizeResult& result, const QuantizeSettings& settings) {
    const bool quantizer =
        settings.scheme.kind == SchemeKind::Static8 || settings.scheme.kind == SchemeKind::Dynamic8;
    if (settings.scheme.kind == SchemeKind::Half) {
        return halfRecipe(result);
    }
    return quantizer ? quantizerRecipe(result, settings) : weightRecipe(result, settings);
}

}  // namespace et::app

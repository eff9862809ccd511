#include "app/output/lab/remedy_recipe.h"

#include "inspector/format/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using inspector::format::pythonString;

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

}  // namespace

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

}  // namespace et::output

#include "app/output/lab/recipe_parts.h"

#include "inspector/format/python_text.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

namespace et::output {

using backends::xnnpack::ObserverKind;
using inspector::format::pythonString;

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

}  // namespace et::output

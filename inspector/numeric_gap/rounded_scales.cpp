#include "inspector/numeric_gap/rounded_scales.h"

#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace et::inspector {
namespace {

using backends::reference::Interpreter;
using backends::reference::ReferenceValue;
using core::Result;

/// Operators that may have several scales per channel, with the name of their scale argument.
struct BlockOperator {
    std::string_view start;
    std::string_view scales;
};
constexpr std::array blockOperators{BlockOperator{"dequantize_affine", "scale"},
                                    BlockOperator{"dequantize_per_channel_group", "scales"}};

/// Name of the scales value of a node that dequantizes in blocks.
std::optional<std::string> scalesOf(const etrecord::Node& node) {
    const std::string_view name = names::detail::nodeOperator(node.op);
    const auto* found = std::ranges::find_if(
        blockOperators, [&](const BlockOperator& each) { return name.starts_with(each.start); });
    if (found == blockOperators.end()) {
        return std::nullopt;
    }
    const auto argument = std::ranges::find(node.inputs, found->scales, &etrecord::Argument::name);
    const auto* value =
        argument == node.inputs.end() ? nullptr : std::get_if<etrecord::ValueRef>(&argument->value);
    return value == nullptr ? std::nullopt : std::optional(value->name);
}

}  // namespace

Result<GraphValues> weightsOfRoundedScales(Interpreter& interpreter, const GraphWalk& graph,
                                           const GraphValues& given) {
    GraphValues weights;
    for (const auto& [name, value] : given) {
        const auto producer = graph.producerOf(name);
        const auto scales = producer && graph.isConstant(*producer) ? scalesOf(graph.node(*producer))
                                                                    : std::optional<std::string>();
        if (!scales) {
            continue;
        }
        const std::array wanted{*scales};
        ET_ASSIGN(const Interpreter::Values exact, interpreter.evaluate(wanted, {}));
        const ReferenceTensor* tensor = tensorIn(exact, *scales);
        if (tensor == nullptr || tensor->view.dim() < 2) {
            continue;  // one per channel, which formats store without loss
        }
        ET_ASSIGN(const ReferenceTensor narrow, converted(tensor->view, core::ScalarType::BFloat16));
        ET_ASSIGN(ReferenceTensor rounded, converted(narrow.view, tensor->view.dtype()));
        GraphValues inputs;
        inputs.emplace(*scales, ReferenceValue{std::move(rounded)});
        const std::array nodes{*producer};
        ET_ASSIGN(Interpreter::Values computed, interpreter.replay(nodes, inputs));
        if (const auto found = computed.find(name); found != computed.end()) {
            weights.insert_or_assign(name, std::move(found->second));
        }
    }
    return weights;
}

}  // namespace et::inspector

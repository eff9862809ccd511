#include "inspector/numeric_gap/border_orders.h"

#include "inspector/numeric_gap/graph_part.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/tensor_numbers.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector {
namespace {

using backends::reference::ReferenceTensor;
using core::Result;
using etrecord::ExportedGraph;

/// The delegate call that ran; null if it is not in this method.
const program::DelegateCall* callOf(const program::Method& method, const RuntimeCall& call) {
    if (!call.isDelegate() || call.chain < 0 || call.instruction < 0) {
        return nullptr;
    }
    const auto chain = static_cast<std::size_t>(call.chain);
    const auto at = static_cast<std::size_t>(call.instruction);
    if (chain >= method.chains.size() || at >= method.chains[chain].instructions.size()) {
        return nullptr;
    }
    return std::get_if<program::DelegateCall>(&method.chains[chain].instructions[at]);
}

}  // namespace

BorderOrders::BorderOrders(const ExportedGraph& graph, const program::Method& method) {
    const auto add = [&](const std::vector<std::string_view>& names,
                         const std::vector<program::ValueId>& values) {
        for (std::size_t i = 0; i < names.size() && names.size() == values.size(); ++i) {
            if (auto order = turnedOrder(graph, names[i]); !order.empty()) {
                orders.emplace(values[i], std::move(order));
            }
        }
    };
    std::vector<std::string_view> inputs;
    for (const etrecord::InputSpec& spec : graph.inputSpecs) {
        if (isUserInput(spec)) {
            inputs.push_back(spec.value);
        }
    }
    std::vector<std::string_view> outputs;
    for (const etrecord::OutputSpec& spec : graph.outputSpecs) {
        if (spec.kind == "user_output") {
            outputs.push_back(spec.value);
        }
    }
    add(inputs, method.inputs);
    add(outputs, method.outputs);
}

executor::DimensionOrder BorderOrders::of(program::ValueId value) const {
    const auto found = orders.find(value);
    return found == orders.end() ? executor::DimensionOrder() : found->second;
}

Result<RuntimeValues> BorderOrders::asInGraph(RuntimeValues values, const program::Method& method) const {
    if (orders.empty()) {
        return values;
    }
    for (RuntimeCall& call : values.calls) {
        const program::DelegateCall* const made = callOf(method, call);
        for (std::size_t i = 0; made != nullptr && i < call.values.size() && i < made->args.size(); ++i) {
            const auto* const tensor = call.values[i].as<ReferenceTensor>();
            const executor::DimensionOrder order = of(made->args[i]);
            if (tensor != nullptr && !order.empty() && order.size() == tensor->view.dim()) {
                ET_ASSIGN(ReferenceTensor turned, permutedCopy(tensor->view, order));
                call.values[i] = backends::reference::ReferenceValue{std::move(turned)};
            }
        }
    }
    return values;
}

}  // namespace et::inspector

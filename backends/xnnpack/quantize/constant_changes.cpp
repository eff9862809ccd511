#include "backends/xnnpack/quantize/constant_changes.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using etrecord::Argument;
using etrecord::Node;
using lowering::EdgeMethod;
using lowering::NodeIndex;

struct BiasRow {
    std::string_view op;
    std::string_view argument;
};
constexpr std::array biasRows{
    BiasRow{.op = "aten.convolution.default", .argument = "bias"},
    BiasRow{.op = "aten.linear.default", .argument = "bias"},
    BiasRow{.op = "aten.addmm.default", .argument = "self"},
};

/// Name of the bias argument of a node; empty for nodes without one.
std::string_view biasArgument(const Node& node) {
    const auto* const row = std::ranges::find(biasRows, node.op, &BiasRow::op);
    const bool scaled = lowering::numberArgument(node, "beta").value_or(1) != 1;
    return row == biasRows.end() || scaled ? std::string_view() : row->argument;
}

bool readByOthers(const EdgeMethod& method, const ExportedOperators& operators, std::string_view value,
                  std::size_t op) {
    return std::ranges::any_of(method.users(value),
                               [&](NodeIndex node) { return operators.operatorOf(node) != op; });
}

void addBias(const ExportedOperator& op, const EdgeMethod& method, reference::ReferenceTensor tensor,
             ModelDraft& draft) {
    for (const NodeIndex index : op.nodes) {
        const std::string_view name = biasArgument(method.node(index));
        if (name.empty()) {
            continue;
        }
        const std::string target = op.name + ".added_bias";
        std::string value = draft.addTensor("parameter", "p_" + op.name + "_bias", target, std::move(tensor));
        Node& node = draft.graph.nodes[index];
        const auto place = std::ranges::find(node.inputs, name, &Argument::name);
        Argument made{.name = std::string(name),
                      .kind = "as_tensor",
                      .value = etrecord::ValueRef{.name = std::move(value)}};
        if (place == node.inputs.end()) {
            node.inputs.push_back(std::move(made));
        } else {
            *place = std::move(made);
        }
        return;
    }
}

}  // namespace

std::string_view biasOf(const EdgeMethod& method, const ExportedOperator& op) {
    for (const NodeIndex index : op.nodes) {
        const Node& node = method.node(index);
        const std::string_view name = biasArgument(node);
        const std::string_view value =
            name.empty() ? name : lowering::valueName(lowering::findArgument(node, name));
        const auto* meta = method.meta(value);
        if (!value.empty() && method.isConstant(value) && meta != nullptr && meta->sizes.size() == 1) {
            return value;
        }
    }
    return {};
}

bool takesBias(const EdgeMethod& method, const ExportedOperator& op) {
    return !biasOf(method, op).empty() || std::ranges::any_of(op.nodes, [&](NodeIndex index) {
        const Node& node = method.node(index);
        const std::string_view name = biasArgument(node);
        return !name.empty() && lowering::valueName(lowering::findArgument(node, name)).empty();
    });
}

void changeConstants(const EdgeMethod& method, const ExportedOperators& operators,
                     std::span<const ConstantChange> changes, ModelDraft& draft) {
    for (const ConstantChange& change : changes) {
        const ExportedOperator& op = operators[change.op];
        if (change.value.empty()) {
            addBias(op, method, change.tensor, draft);
            continue;
        }
        if (!readByOthers(method, operators, change.value, change.op)) {
            draft.setTensor(change.value, change.tensor);
            continue;
        }
        const auto* input = method.input(change.value);
        const std::string target = (input == nullptr ? change.value : input->target) + "." + op.name;
        const std::string own =
            draft.addTensor("parameter", change.value + "_" + op.name, target, change.tensor);
        for (const NodeIndex index : op.nodes) {
            for (Argument& argument : draft.graph.nodes[index].inputs) {
                renameValues(argument, [&](std::string& name) {
                    if (name == change.value) {
                        name = own;
                    }
                });
            }
        }
    }
}

}  // namespace et::backends::xnnpack

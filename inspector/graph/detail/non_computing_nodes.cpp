#include "inspector/graph/detail/non_computing_nodes.h"

#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector::graph::detail {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

constexpr std::array<std::string_view, 7> viewNames{
    "et_view", "view_copy", "view", "_unsafe_view", "alias_copy", "alias", "lift_fresh_copy"};
constexpr std::array<std::string_view, 5> scalarNames{"sym_size", "sym_numel", "_local_scalar_dense", "item",
                                                      "sym_stride"};
constexpr std::array<std::string_view, 3> checkNames{"_assert", "sym_constrain_range", "_check"};

/// "et_view" of "executorch_prim::et_view.default" and of "aten.et_view.default".
std::string_view bareName(std::string_view kind) {
    const std::size_t scope = kind.rfind("::");
    if (scope == std::string_view::npos) {
        return names::detail::nodeOperator(kind);
    }
    kind.remove_prefix(scope + 2);
    return kind.substr(0, kind.find('.'));
}

bool isScalar(const GraphValue& value) {
    return !value.type.contains('[');
}

bool isView(const GraphNode& node) {
    return std::ranges::contains(viewNames, bareName(node.kind)) && !node.inputs.empty() &&
           node.outputs.size() == 1;
}

/// Whether a node computes or checks numbers, not tensors.
bool isScalarWork(const ModelGraph& graph, const GraphNode& node) {
    const std::string_view name = bareName(node.kind);
    const auto starts = [name](std::string_view start) { return name.starts_with(start); };
    if (std::ranges::contains(scalarNames, name) || std::ranges::any_of(checkNames, starts)) {
        return true;
    }
    return !node.outputs.empty() && std::ranges::all_of(node.outputs, [&](GraphValueId id) {
        const GraphValue& value = graph.value(id);
        return !value.type.empty() && isScalar(value);
    });
}

bool makesOutput(const ModelGraph& graph, const GraphNode& node) {
    return std::ranges::any_of(
        node.outputs, [&](GraphValueId id) { return graph.value(id).role == GraphValue::Role::Output; });
}

/// Whether all consumers of a node are hidden, and there are any.
bool onlyServesHidden(const ModelGraph& graph, const GraphNode& node, const std::vector<bool>& hidden) {
    bool any = false;
    for (const GraphValueId output : node.outputs) {
        for (const GraphNodeId consumer : graph.value(output).consumers) {
            any = true;
            if (!hidden[consumer.value]) {
                return false;
            }
        }
    }
    return any;
}

/// The innermost group that is a module, not a delegate's content.
std::optional<GraphGroupId> moduleAround(const ModelGraph& graph, std::optional<GraphGroupId> group) {
    while (group && graph.group(*group).kind != "module") {
        group = graph.group(*group).parent;
    }
    return group;
}

/// "quantize_per_tensor" of "quantized_decomposed.quantize_per_tensor.default" and of "….out".
std::string_view operatorOf(std::string_view kind) {
    const std::string_view name = names::detail::nodeOperator(kind);
    const std::size_t scope = name.rfind("::");
    return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

std::optional<GraphGroupId> commonAround(const ModelGraph& graph, std::optional<GraphGroupId> a,
                                         std::optional<GraphGroupId> b) {
    for (; a; a = graph.group(*a).parent) {
        for (auto other = b; other; other = graph.group(*other).parent) {
            if (a == other) {
                return a;
            }
        }
    }
    return std::nullopt;
}

}  // namespace

NonComputingNodes findNonComputing(const ModelGraph& graph) {
    NonComputingNodes found{.hidden = std::vector<bool>(graph.nodes().size())};
    for (std::uint32_t i = 0; i < graph.values().size(); ++i) {
        found.standIn.emplace_back(i);
    }
    std::vector<bool> scalar(graph.nodes().size());
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        const GraphNode& node = graph.nodes()[i];
        if (makesOutput(graph, node)) {
            continue;
        }
        if (isView(node)) {
            found.hidden[i] = true;
            // Nodes are in execution order, so the viewed value is already resolved.
            found.standIn[node.outputs[0].value] = found.standIn[node.inputs[0].value];
        } else if (isScalarWork(graph, node)) {
            found.hidden[i] = true;
            scalar[i] = true;
        }
    }
    // Backwards: nodes that only serve scalars, and nodes that only serve those.
    for (std::size_t i = graph.nodes().size(); i-- > 0;) {
        const GraphNode& node = graph.nodes()[i];
        const bool serves =
            !found.hidden[i] && !makesOutput(graph, node) && onlyServesHidden(graph, node, scalar);
        if (serves) {
            found.hidden[i] = true;
            scalar[i] = true;
        }
    }
    return found;
}

namespace {

/// The module of the producer of the first input that a node produces.
std::optional<GraphGroupId> moduleBefore(const ModelGraph& graph, const NonComputingNodes& plumbing,
                                         const GraphNode& node,
                                         const std::vector<std::optional<GraphGroupId>>& adopted) {
    for (const GraphValueId input : node.inputs) {
        const auto& producer = graph.value(plumbing.standIn[input.value]).producer;
        if (producer && !plumbing.hidden[producer->value]) {
            const auto group = graph.node(*producer).group;
            return moduleAround(graph, group ? group : adopted[producer->value]);
        }
    }
    return std::nullopt;
}

/// The innermost module around all consumers of a node that are in one.
std::optional<GraphGroupId> moduleBehind(const ModelGraph& graph, const NonComputingNodes& plumbing,
                                         const GraphNode& node) {
    std::optional<GraphGroupId> around;
    bool first = true;
    for (const GraphValueId output : node.outputs) {
        for (const GraphNodeId consumer : graph.value(output).consumers) {
            const auto group = moduleAround(graph, graph.node(consumer).group);
            if (group && !plumbing.hidden[consumer.value]) {
                around = first ? group : commonAround(graph, around, group);
                first = false;
            }
        }
    }
    return around;
}

/// A quantize node goes with the producer of its input, a dequantize node with its consumers: exporters write
/// both without a module.
std::optional<GraphGroupId> quantizationsModule(const ModelGraph& graph, const NonComputingNodes& plumbing,
                                                const GraphNode& node,
                                                const std::vector<std::optional<GraphGroupId>>& adopted) {
    const auto before = moduleBefore(graph, plumbing, node, adopted);
    if (!operatorOf(node.kind).starts_with("dequantize_")) {
        return before;
    }
    const auto behind = moduleBehind(graph, plumbing, node);
    return behind ? behind : before;
}

}  // namespace

std::vector<std::optional<GraphGroupId>> adoptedGroups(const ModelGraph& graph,
                                                       const NonComputingNodes& plumbing) {
    std::vector<std::optional<GraphGroupId>> adopted(graph.nodes().size());
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        const GraphNode& node = graph.nodes()[i];
        if (node.group || plumbing.hidden[i]) {
            continue;
        }
        if (isQuantization(operatorOf(node.kind))) {
            adopted[i] = quantizationsModule(graph, plumbing, node, adopted);
            continue;
        }
        std::optional<GraphGroupId> from;
        for (const GraphValueId input : node.inputs) {
            const auto& producer = graph.value(plumbing.standIn[input.value]).producer;
            if (!from && producer && !plumbing.hidden[producer->value]) {
                from = moduleAround(graph, graph.node(*producer).group);
            }
        }
        bool consumed = false;
        std::optional<GraphGroupId> around = from;
        for (const GraphValueId output : node.outputs) {
            for (const GraphNodeId consumer : graph.value(output).consumers) {
                if (!plumbing.hidden[consumer.value]) {
                    consumed = true;
                    around = commonAround(graph, around, moduleAround(graph, graph.node(consumer).group));
                }
            }
        }
        adopted[i] = consumed || !makesOutput(graph, node) ? around : std::nullopt;
    }
    return adopted;
}

}  // namespace et::inspector::graph::detail

#include "inspector/graph/graph_labels.h"

#include "inspector/format/quantities.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

namespace et::inspector {

using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Maximum tooltip lines of one kind.
constexpr std::size_t maxLines = 16;

/// Namespaces of PyTorch and ExecuTorch, with their separator in programs or in records.
constexpr std::array<std::string_view, 9> libraries{"aten::",
                                                    "aten.",
                                                    "executorch_prim::",
                                                    "quantized_decomposed::",
                                                    "quantized_decomposed.",
                                                    "dim_order_ops::",
                                                    "dim_order_ops.",
                                                    "llama::",
                                                    "llama."};

/// Namespace prefix of an operator; empty for operators of other libraries, delegates and layers.
std::string_view libraryOf(std::string_view kind) {
    const auto* const found = std::ranges::find_if(libraries, [&](std::string_view each) {
        return kind.starts_with(each) && kind.size() > each.size();
    });
    return found == libraries.end() ? std::string_view() : *found;
}

/// Rank of "float32 [1, 8, 16, 16]"; 0 if the type has no shape.
std::size_t rankOf(std::string_view type) {
    const std::size_t open = type.find('[');
    if (open == std::string_view::npos || type.substr(open).starts_with("[]")) {
        return 0;
    }
    return static_cast<std::size_t>(std::ranges::count(type.substr(open), ',')) + 1;
}

std::string valueText(const GraphValue& value) {
    return value.type.empty() ? value.name : fmt::format("{}: {}", value.name, value.type);
}

void addValues(std::string& out, std::string_view word, const ModelGraph& graph,
               const std::vector<GraphValueId>& ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i == maxLines) {
            out += fmt::format("\n... {} in all", ids.size());
            return;
        }
        const GraphValue& value = graph.value(ids[i]);
        const bool constant = value.role == GraphValue::Role::Constant;
        out += fmt::format("\n{} {}", constant ? "constant" : word, valueText(value));
    }
}

void addAttributes(std::string& out, const std::vector<core::GraphAttribute>& attributes) {
    for (const core::GraphAttribute& each : attributes) {
        out += fmt::format("\n{}: {}", each.name, each.text);
    }
}

std::string groupTooltip(const ModelGraph& graph, const DiagramBox& box) {
    const core::GraphGroup& group = graph.group(core::GraphGroupId(box.id));
    std::map<std::string_view, std::size_t> kinds;
    for (const GraphNodeId id : box.nodes) {
        ++kinds[graph.node(id).kind];
    }
    std::vector<std::pair<std::string_view, std::size_t>> sorted(kinds.begin(), kinds.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const auto& each) { return each.second; });
    std::string out = fmt::format("{} {}: {} nodes", group.kind, group.name, box.nodes.size());
    addAttributes(out, group.attributes);
    for (std::size_t i = 0; i < std::min(sorted.size(), maxLines); ++i) {
        out += fmt::format("\n{} x {}", sorted[i].second, sorted[i].first);
    }
    return out;
}

/// Empty if there are none, or too many for one name.
std::string edgeOperatorsText(const GraphNode& node, std::size_t rank) {
    JoinedOperators operators;
    for (const auto each :
         std::views::split(attributeOf(node, edgeOperatorsAttribute), std::string_view(", "))) {
        operators.add(names::detail::nodeOperator(std::string_view(each)), rank);
    }
    return operators.text();
}

BoxLabel labelOf(const ModelGraph& graph, const DiagramBox& box) {
    switch (box.kind) {
        case DiagramBox::Kind::Node: {
            const GraphNode& node = graph.node(GraphNodeId(box.id));
            const std::string type = node.outputs.empty() ? "" : graph.value(node.outputs.front()).type;
            const std::string_view module =
                attributeOf(node, edgeOperatorsAttribute).empty() ? "" : attributeOf(node, "module");
            return {.title = readableKind(graph, node),
                    .name = module.empty() ? node.name : std::string(module),
                    .detail = type,
                    .tooltip = nodeTooltip(graph, node)};
        }
        case DiagramBox::Kind::Group: {
            const core::GraphGroup& group = graph.group(core::GraphGroupId(box.id));
            return {
                .title = std::string(groupName(group)),
                .name = {},
                .detail = fmt::format("{} {}", box.nodes.size(), box.nodes.size() == 1 ? "node" : "nodes"),
                .tooltip = groupTooltip(graph, box)};
        }
        case DiagramBox::Kind::Input:
        case DiagramBox::Kind::Output:
            break;
    }
    const GraphValue& value = graph.value(GraphValueId(box.id));
    const bool input = box.kind == DiagramBox::Kind::Input;
    std::string tooltip = fmt::format("{} {}", input ? "input" : "output", valueText(value));
    addAttributes(tooltip, value.attributes);
    return {.title = fmt::format("{} {}", input ? "input" : "output", value.name),
            .name = {},
            .detail = value.type,
            .tooltip = std::move(tooltip)};
}

}  // namespace

std::string_view groupName(const core::GraphGroup& group) {
    const auto module = std::ranges::find(group.attributes, "module", &core::GraphAttribute::name);
    return module == group.attributes.end() ? std::string_view(group.name) : std::string_view(module->text);
}

std::string shortKind(std::string_view kind) {
    kind.remove_prefix(libraryOf(kind).size());
    for (const std::string_view end : {".out", ".default"}) {
        if (kind.ends_with(end) && kind.size() > end.size()) {
            kind.remove_suffix(end.size());
            break;
        }
    }
    return std::string(kind);
}

std::string readableKind(const ModelGraph& graph, const GraphNode& node) {
    const std::string_view library = libraryOf(node.kind);
    const std::string_view type =
        node.outputs.empty() ? std::string_view() : std::string_view(graph.value(node.outputs.front()).type);
    if (library.empty()) {
        const std::string edges = edgeOperatorsText(node, rankOf(type));
        return edges.empty() ? shortKind(node.kind) : edges;
    }
    const std::string_view operation = std::string_view(node.kind).substr(library.size());
    return plainOperator(operation.substr(0, operation.find('.')), rankOf(type));
}

std::string_view attributeOf(const GraphNode& node, std::string_view name) {
    const auto found = std::ranges::find(node.attributes, name, &core::GraphAttribute::name);
    return found == node.attributes.end() ? std::string_view() : std::string_view(found->text);
}

std::string nodeTooltip(const ModelGraph& graph, const GraphNode& node) {
    std::string out = fmt::format("{}\nnode {}", node.kind, node.name);
    if (node.group) {
        const core::GraphGroup& group = graph.group(*node.group);
        out += fmt::format("\n{}: {}", group.kind, groupName(group));
    }
    addValues(out, "in", graph, node.inputs);
    addValues(out, "out", graph, node.outputs);
    addAttributes(out, node.attributes);
    if (!node.debugHandles.empty()) {
        out += "\ndebug handles:";
        for (std::size_t i = 0; i < std::min(node.debugHandles.size(), maxLines); ++i) {
            out += fmt::format(" {}", node.debugHandles[i].value);
        }
        out += node.debugHandles.size() > maxLines ? " ..." : "";
    }
    return out;
}

std::string edgeTooltip(const ModelGraph& graph, const DiagramEdge& edge) {
    std::string out;
    for (std::size_t i = 0; i < edge.values.size(); ++i) {
        if (i == maxLines) {
            return out + fmt::format("\n... {} in all", edge.values.size());
        }
        const GraphValue& value = graph.value(edge.values[i]);
        out += fmt::format("{}{}", out.empty() ? "" : "\n", valueText(value));
        out += value.bytes == 0 ? "" : fmt::format(", {}", format::readableBytes(value.bytes));
    }
    return out;
}

std::vector<BoxLabel> labelsOf(const ModelGraph& graph, const Diagram& diagram) {
    std::vector<BoxLabel> labels;
    labels.reserve(diagram.boxes.size());
    for (const DiagramBox& box : diagram.boxes) {
        labels.push_back(labelOf(graph, box));
    }
    return labels;
}

}  // namespace et::inspector

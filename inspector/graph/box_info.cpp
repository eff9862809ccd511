#include "inspector/graph/box_info.h"

#include "inspector/format/quantities.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/join/instruction_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace et::inspector {

using core::GraphAttribute;
using core::GraphNode;
using core::GraphNodeId;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// Maximum rows per section; an additional row gives the total.
constexpr std::size_t maxRows = 64;
constexpr std::size_t maxStacks = 3;

/// Names of quantization parameters, in payload descriptions and in PyTorch's operators.
constexpr std::array quantizationNames =
    std::to_array<std::string_view>({"quantization", "scale", "scales", "zero point", "zero_point",
                                     "zero_points", "quant_min", "quant_max", "axis"});

bool isQuantization(const GraphAttribute& attribute) {
    return std::ranges::contains(quantizationNames, attribute.name);
}

void addRow(DetailSection& section, std::string name, std::string text) {
    if (section.rows.size() < maxRows) {
        section.rows.emplace_back(std::move(name), std::move(text));
    }
}

void sayMore(DetailSection& section, std::size_t all) {
    if (all > maxRows) {
        section.rows.emplace_back("...", fmt::format("{} in all", all));
    }
}

void addSection(BoxInfo& info, DetailSection section) {
    if (!section.rows.empty() || !section.text.empty()) {
        info.sections.push_back(std::move(section));
    }
}

std::string quantizationOf(const std::vector<GraphAttribute>& attributes) {
    std::string text;
    for (const GraphAttribute& each : attributes) {
        if (isQuantization(each)) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.name, each.text);
        }
    }
    return text;
}

/// Quantization of a value that is dequantized before use.
std::string quantizationOf(const ModelGraph& graph, const GraphValue& value) {
    if (std::string own = quantizationOf(value.attributes); !own.empty()) {
        return own;
    }
    return value.producer ? quantizationOf(graph.node(*value.producer).attributes) : "";
}

std::string valueInfo(const GraphValue& value) {
    std::string text = value.type;
    text += value.bytes == 0 ? "" : fmt::format(", {}", format::readableBytes(value.bytes));
    for (const GraphAttribute& each : value.attributes) {
        if (!isQuantization(each)) {
            text += fmt::format(", {} {}", each.name, each.text);
        }
    }
    return text;
}

DetailSection valueSection(std::string title, const ModelGraph& graph, const std::vector<GraphValueId>& ids,
                           bool constants) {
    DetailSection section{.title = std::move(title)};
    std::size_t count = 0;
    for (const GraphValueId id : ids) {
        const GraphValue& value = graph.value(id);
        if ((value.role == GraphValue::Role::Constant) == constants) {
            ++count;
            addRow(section, value.name, valueInfo(value));
        }
    }
    sayMore(section, count);
    return section;
}

DetailSection quantizationSection(const ModelGraph& graph, const GraphNode& node) {
    DetailSection section{.title = "Quantization"};
    if (const std::string own = quantizationOf(node.attributes); !own.empty()) {
        addRow(section, "operator", own);
    }
    for (const auto* ids : {&node.inputs, &node.outputs}) {
        for (const GraphValueId id : *ids) {
            const GraphValue& value = graph.value(id);
            const std::string text = quantizationOf(graph, value);
            // For an output, the producer is this node, which already lists it.
            if (!text.empty() && (ids == &node.inputs || !quantizationOf(value.attributes).empty())) {
                addRow(section, value.name, text);
            }
        }
    }
    return section;
}

DetailSection attributeSection(std::string title, const std::vector<GraphAttribute>& attributes) {
    DetailSection section{.title = std::move(title)};
    for (const GraphAttribute& each : attributes) {
        if (!isQuantization(each)) {
            addRow(section, each.name, each.text);
        }
    }
    sayMore(section, attributes.size());
    return section;
}

void addStacks(BoxInfo& info, const std::vector<core::DebugHandle>& handles, const etrecord::Record* record,
               std::string_view method) {
    const InstructionNodes nodes(record, method);
    std::vector<std::string_view> told;
    std::size_t others = 0;
    for (const etrecord::Node* node : nodes.nodesOf(handles)) {
        if (node->stackTrace.empty() || std::ranges::contains(told, node->stackTrace)) {
            continue;
        }
        if (told.size() == maxStacks) {
            ++others;
            continue;
        }
        told.push_back(node->stackTrace);
        info.sections.push_back(
            {.title = fmt::format("Python stack of {}", node->name), .text = node->stackTrace});
    }
    if (others > 0) {
        info.sections.push_back(
            {.title = "Python stacks", .text = fmt::format("and of {} other nodes", others)});
    }
}

DetailSection identitySection(const GraphNode& node) {
    DetailSection section{.title = "Identity"};
    if (node.instruction) {
        addRow(section, "instruction", fmt::to_string(node.instruction->value));
    }
    std::vector<std::int64_t> handles;
    for (std::size_t i = 0; i < std::min(node.debugHandles.size(), maxRows); ++i) {
        handles.push_back(node.debugHandles[i].value);
    }
    if (!handles.empty()) {
        addRow(
            section, "debug handles",
            fmt::format("{}{}", fmt::join(handles, ", "), node.debugHandles.size() > maxRows ? ", ..." : ""));
    }
    return section;
}

BoxInfo nodeInfo(const ModelGraph& graph, const GraphNode& node, const etrecord::Record* record,
                 std::string_view method) {
    BoxInfo info{.title = node.kind, .subtitle = fmt::format("node {}", node.name), .sections = {}};
    if (!attributeOf(node, edgeOperatorsAttribute).empty()) {
        const std::string_view module = attributeOf(node, "module");
        info.title = fmt::format("{}{}{}", readableKind(graph, node), module.empty() ? "" : " · ", module);
        info.subtitle = fmt::format("{} {}", node.kind, node.name);
    }
    if (node.group) {
        const core::GraphGroup& group = graph.group(*node.group);
        info.subtitle += fmt::format(" in {} {}", group.kind, groupName(group));
    }
    addSection(info, attributeSection("Attributes", node.attributes));
    addSection(info, valueSection("Inputs", graph, node.inputs, false));
    addSection(info, valueSection("Outputs", graph, node.outputs, false));
    addSection(info, quantizationSection(graph, node));
    addSection(info, valueSection("Constants", graph, node.inputs, true));
    addSection(info, identitySection(node));
    addStacks(info, node.debugHandles, record, method);
    return info;
}

/// Aggregate info of all nodes of a group.
BoxInfo groupInfo(const ModelGraph& graph, const DiagramBox& box) {
    const core::GraphGroup& group = graph.group(core::GraphGroupId(box.id));
    std::map<std::string_view, std::size_t> kinds;
    std::uint64_t constants = 0;
    std::vector<bool> counted(graph.values().size());
    for (const GraphNodeId id : box.nodes) {
        ++kinds[graph.node(id).kind];
        for (const GraphValueId input : graph.node(id).inputs) {
            const GraphValue& value = graph.value(input);
            if (value.role == GraphValue::Role::Constant && !counted[input.value]) {
                counted[input.value] = true;
                constants += value.bytes;
            }
        }
    }
    BoxInfo info{.title = std::string(groupName(group)),
                 .subtitle = fmt::format("{} of {} nodes", group.kind.empty() ? "group" : group.kind,
                                         box.nodes.size()),
                 .sections = {}};
    addSection(info, attributeSection("Attributes", group.attributes));
    if (constants > 0) {
        info.sections.push_back(
            {.title = "Constants", .rows = {{"bytes", format::readableBytes(constants)}}});
    }
    std::vector<std::pair<std::string_view, std::size_t>> sorted(kinds.begin(), kinds.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const auto& each) { return each.second; });
    DetailSection operators{.title = "Operators"};
    for (const auto& [kind, count] : sorted) {
        addRow(operators, std::string(kind), fmt::to_string(count));
    }
    sayMore(operators, sorted.size());
    addSection(info, std::move(operators));
    return info;
}

BoxInfo endInfo(const ModelGraph& graph, const DiagramBox& box) {
    const GraphValue& value = graph.value(GraphValueId(box.id));
    const bool input = box.kind == DiagramBox::Kind::Input;
    BoxInfo info{.title = value.name, .subtitle = input ? "input" : "output", .sections = {}};
    DetailSection section{.title = "Value"};
    addRow(section, "type", value.type);
    addRow(section, "bytes", value.bytes == 0 ? "unknown" : format::readableBytes(value.bytes));
    addSection(info, std::move(section));
    addSection(info, attributeSection("Attributes", value.attributes));
    if (const std::string text = quantizationOf(value.attributes); !text.empty()) {
        info.sections.push_back({.title = "Quantization", .rows = {{value.name, text}}});
    }
    return info;
}

}  // namespace

BoxInfo infoOf(const ModelGraph& graph, const DiagramBox& box, const etrecord::Record* record,
               std::string_view method) {
    switch (box.kind) {
        case DiagramBox::Kind::Node:
            return nodeInfo(graph, graph.node(GraphNodeId(box.id)), record, method);
        case DiagramBox::Kind::Group:
            return groupInfo(graph, box);
        case DiagramBox::Kind::Input:
        case DiagramBox::Kind::Output:
            break;
    }
    return endInfo(graph, box);
}

}  // namespace et::inspector

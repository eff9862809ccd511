#include "app/studio/graph/selected_nodes.h"

#include "visualizers/selection.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace et::studio {

using core::GraphNode;
using core::ModelGraph;
using inspector::GraphChoice;
using visualizers::OperatorRef;
using visualizers::Selection;

namespace {

std::vector<bool> nodesWhere(const ModelGraph& graph, const std::function<bool(const GraphNode&)>& test) {
    std::vector<bool> nodes;
    nodes.reserve(graph.nodes().size());
    for (const GraphNode& node : graph.nodes()) {
        nodes.push_back(test(node));
    }
    return std::ranges::contains(nodes, true) ? nodes : std::vector<bool>();
}

/// Returns nothing if the selected instruction belongs to another method.
std::optional<core::InstructionId> chosenInstruction(const GraphChoice& choice, const Selection& selection) {
    const auto& chosen = selection.currentOperator();
    // Without a record, the method of a trace is unknown.
    const bool fits = chosen && (chosen->method.empty() || chosen->method == choice.method);
    return fits ? std::optional(chosen->instruction) : std::nullopt;
}

/// Returns the instruction shared by all nodes of a box.
std::optional<core::InstructionId> commonInstruction(const ModelGraph& graph,
                                                     const inspector::DiagramBox& box) {
    if (box.nodes.empty()) {
        return std::nullopt;
    }
    const auto first = graph.node(box.nodes.front()).instruction;
    const bool same = std::ranges::all_of(
        box.nodes, [&](core::GraphNodeId id) { return graph.node(id).instruction == first; });
    return same ? first : std::nullopt;
}

bool isInsideDelegate(const ModelGraph& graph, const GraphNode& node) {
    for (auto group = node.group; group; group = graph.group(*group).parent) {
        if (graph.group(*group).kind == "delegate") {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<bool> selectedNodes(const ModelGraph& graph, const GraphChoice& choice,
                                const Selection& selection) {
    const auto& chosen = selection.currentOperator();
    if (chosen && !chosen->method.empty() && chosen->method != choice.method) {
        return {};  // handles are specific to a method as well
    }
    const auto instruction = chosenInstruction(choice, selection);
    const auto handles = selection.currentHandles();
    const auto carries = [&](const GraphNode& node) {
        return std::ranges::any_of(
            node.debugHandles, [&](core::DebugHandle own) { return std::ranges::contains(handles, own); });
    };
    if (!handles.empty()) {
        const bool ofProgram = choice.kind == GraphChoice::Kind::Program && instruction;
        auto nodes = nodesWhere(graph, [&](const GraphNode& node) {
            return carries(node) && (!ofProgram || node.instruction == instruction);
        });
        if (!nodes.empty()) {
            return nodes;
        }
    }
    if (!instruction || choice.kind != GraphChoice::Kind::Program) {
        return {};
    }
    return nodesWhere(graph, [&](const GraphNode& node) { return node.instruction == instruction; });
}

void select(Selection& selection, const ModelGraph& graph, const GraphChoice& choice,
            const inspector::DiagramBox& box) {
    const bool single = box.kind == inspector::DiagramBox::Kind::Node;
    const auto instruction = commonInstruction(graph, box);
    if (single) {
        const GraphNode& node = graph.node(core::GraphNodeId(box.id));
        const bool finer = !node.instruction || isInsideDelegate(graph, node);
        if (finer && !node.debugHandles.empty()) {
            selection.setHandles(choice.method, node.debugHandles);
            return;
        }
    }
    if (instruction) {
        selection.setOperator(OperatorRef{.method = choice.method, .instruction = *instruction});
    }
}

}  // namespace et::studio

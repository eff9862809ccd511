#include "app/studio/graph/graph_debug_marks.h"

#include "visualizers/debug_state.h"
#include "visualizers/graph/graph_canvas.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace et::studio {

using core::GraphNode;
using inspector::GraphChoice;
using visualizers::DebugState;
using visualizers::Highlights;
using visualizers::OperatorRef;

namespace {

bool sharesHandle(const GraphNode& node, const std::vector<core::DebugHandle>& handles) {
    return std::ranges::any_of(node.debugHandles,
                               [&](core::DebugHandle own) { return std::ranges::contains(handles, own); });
}

/// Nodes of a program by instruction, and by debug handle if the place is inside of a delegate; nodes of
/// other graphs by debug handle.
std::vector<bool> nodesAt(const core::ModelGraph& graph, const GraphChoice& choice,
                          const visualizers::DebugPoint& point) {
    std::vector<bool> nodes;
    const bool ofMethod = point.place.method == choice.method;
    const bool ofProgram = choice.kind == GraphChoice::Kind::Program;
    for (const GraphNode& node : graph.nodes()) {
        const bool ofInstruction = ofProgram && node.instruction == point.place.instruction;
        nodes.push_back(ofMethod && (ofInstruction || !ofProgram) &&
                        ((ofProgram && !point.node) || sharesHandle(node, point.handles)));
    }
    return nodes;
}

}  // namespace

GraphDebugMarks::GraphDebugMarks(visualizers::GraphCanvas& shown, const PanelContext& context,
                                 QObject* parent)
    : QObject(parent), canvas(shown), debugger(context.debugger) {
    connect(&debugger, &DebugState::pointChanged, this, &GraphDebugMarks::show);
    connect(&debugger, &DebugState::breakpointsChanged, this, &GraphDebugMarks::show);
}

void GraphDebugMarks::setGraph(std::shared_ptr<const core::ModelGraph> of, const GraphChoice& choice) {
    graph = std::move(of);
    graphChoice = choice;
}

void GraphDebugMarks::show() {
    if (!canvas.scene()) {
        return;
    }
    canvas.highlight(&Highlights::current, debugger.point() ? nodesAt(*graph, graphChoice, *debugger.point())
                                                            : std::vector<bool>());
    std::vector<bool> breaking;
    for (const GraphNode& node : graph->nodes()) {
        const auto* const stop =
            node.instruction
                ? debugger.at(OperatorRef{.method = graphChoice.method, .instruction = *node.instruction})
                : nullptr;
        breaking.push_back(graphChoice.kind == GraphChoice::Kind::Program && stop != nullptr &&
                           stop->enabled);
    }
    canvas.highlight(&Highlights::breaking, std::move(breaking));
}

}  // namespace et::studio

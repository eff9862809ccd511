#include "app/studio/graph/graph_debug_marks.h"

#include "visualizers/debug_state.h"
#include "visualizers/graph/graph_canvas.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace et::studio {

using core::GraphNode;
using inspector::GraphChoice;
using visualizers::DebugState;
using visualizers::Highlights;

namespace {

bool sharesHandle(const GraphNode& node, const std::vector<core::DebugHandle>& handles) {
    return std::ranges::any_of(node.debugHandles,
                               [&](core::DebugHandle own) { return std::ranges::contains(handles, own); });
}

/// Nodes of a program by instruction, and by debug handle if the point is inside a delegate; nodes of
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

/// Nodes of a program whose instruction has an enabled breakpoint, or a disabled one.
std::vector<bool> breakingNodes(const core::ModelGraph& graph, const GraphChoice& choice,
                                const std::vector<visualizers::Breakpoint>& breakpoints, bool enabled) {
    std::unordered_set<core::InstructionId> instructions;
    for (const visualizers::Breakpoint& each : breakpoints) {
        for (const visualizers::OperatorRef& place : each.places) {
            if (each.enabled == enabled && place.method == choice.method) {
                instructions.insert(place.instruction);
            }
        }
    }
    std::vector<bool> nodes;
    for (const GraphNode& node : graph.nodes()) {
        nodes.push_back(choice.kind == GraphChoice::Kind::Program && node.instruction &&
                        instructions.contains(*node.instruction));
    }
    return nodes;
}

}  // namespace

GraphDebugMarks::GraphDebugMarks(visualizers::GraphCanvas& shown, const PanelContext& context,
                                 QObject* parent)
    : QObject(parent), canvas(shown), debugger(context.debugger) {
    connect(&debugger, &DebugState::pointChanged, this, &GraphDebugMarks::showPoint);
    connect(&debugger, &DebugState::breakpointsChanged, this, &GraphDebugMarks::showBreakpoints);
}

void GraphDebugMarks::setGraph(std::shared_ptr<const core::ModelGraph> of, const GraphChoice& choice) {
    graph = std::move(of);
    graphChoice = choice;
}

void GraphDebugMarks::show() {
    showPoint();
    showBreakpoints();
}

void GraphDebugMarks::showPoint() {
    if (canvas.scene()) {
        canvas.highlight(&Highlights::current, debugger.point()
                                                   ? nodesAt(*graph, graphChoice, *debugger.point())
                                                   : std::vector<bool>());
    }
}

void GraphDebugMarks::showBreakpoints() {
    if (canvas.scene()) {
        canvas.highlight(&Highlights::breaking,
                         breakingNodes(*graph, graphChoice, debugger.breakpoints(), true));
        canvas.highlight(&Highlights::passing,
                         breakingNodes(*graph, graphChoice, debugger.breakpoints(), false));
    }
}

}  // namespace et::studio

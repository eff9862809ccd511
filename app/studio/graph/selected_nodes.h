#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/session_graphs.h"
#include "runtime/core/graph.h"

#include <vector>

namespace et::visualizers {
class Selection;
}

// Maps between the nodes of a graph and the shared selection.
namespace et::studio {

/// Returns the nodes of the current selection, by debug handle or else by instruction; one flag per node, or
/// empty if there are none.
[[nodiscard]] std::vector<bool> selectedNodes(const core::ModelGraph& graph,
                                              const inspector::GraphChoice& choice,
                                              const visualizers::Selection& selection);

/// Selects the node or instruction of a box: the debug handles of a node, or the instruction. For folded
/// groups, the instruction shared by all of their nodes, if any.
void select(visualizers::Selection& selection, const core::ModelGraph& graph,
            const inspector::GraphChoice& choice, const inspector::DiagramBox& box);

}  // namespace et::studio

#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/session_graphs.h"
#include "runtime/core/graph.h"

#include <vector>

namespace et::visualizers {
class Selection;
}

// A graph and the selection that all rooms share.
namespace et::studio {

/// Nodes that stand for what is chosen in the window, by debug handle or else by instruction; a flag for each
/// node, or an empty list where there is none.
[[nodiscard]] std::vector<bool> selectedNodes(const core::ModelGraph& graph,
                                              const inspector::GraphChoice& choice,
                                              const visualizers::Selection& selection);

/// Chooses for the window what a box stands for: the handles of a node, or the instruction. Folded groups
/// choose the instruction that all of their nodes have, if they do.
void select(visualizers::Selection& selection, const core::ModelGraph& graph,
            const inspector::GraphChoice& choice, const inspector::DiagramBox& box);

}  // namespace et::studio

#pragma once

#include "app/output/cells.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"

#include <string>
#include <vector>

namespace et::output {

/// By node: whether a box of the diagram contains it.
[[nodiscard]] std::vector<bool> shownNodes(const core::ModelGraph& graph, const inspector::Diagram& diagram);

/// The graph as JSON (docs/reference/json.md): the nodes in the view, including those in folded groups.
[[nodiscard]] Dict graphInfo(const inspector::GraphView& view, const inspector::InstructionTimes& times);

/// Attributes by name.
[[nodiscard]] Dict attributeInfo(const std::vector<core::GraphAttribute>& attributes);

/// The diagram as indented lines: open groups with their contents, folded ones as one line. If nodes are
/// highlighted, only these are printed, wherever they are.
[[nodiscard]] std::string graphOutline(const inspector::GraphView& view, bool onlyFound);

}  // namespace et::output

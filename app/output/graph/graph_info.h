#pragma once

#include "inspector/format/table.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"

#include <string>
#include <vector>

namespace et::output {

/// The graph as JSON (docs/reference/json.md): the nodes in the view, including those in folded groups.
[[nodiscard]] inspector::format::Dict graphInfo(const inspector::GraphView& view,
                                                const inspector::InstructionTimes& times);

/// The diagram as indented lines: open groups with their contents, folded ones as one line. If nodes are
/// highlighted, only these are printed, wherever they are.
[[nodiscard]] std::string graphOutline(const inspector::GraphView& view, bool onlyFound);

}  // namespace et::output

#pragma once

#include "inspector/format/table.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"

#include <string>
#include <vector>

namespace et::app {

/// The graph as JSON has it (docs/json.md): its nodes that the view shows, folded or not.
[[nodiscard]] inspector::report::Dict graphInfo(const inspector::GraphView& view,
                                                const inspector::InstructionTimes& times);

/// The diagram as indented lines: open groups with what is in them, folded ones as one line. With nodes that
/// are to stand out, only those, wherever they are.
[[nodiscard]] std::string graphOutline(const inspector::GraphView& view, bool onlyFound);

}  // namespace et::app

#pragma once

#include "inspector/graph/graph_picture.h"

#include <string>

namespace et::inspector {

/// The view in the DOT language, for Graphviz's own programs: labels, tooltips, colours, open groups as
/// clusters.
[[nodiscard]] std::string graphDot(const GraphView& view);

}  // namespace et::inspector

#pragma once

#include "etrecord/exported_graph.h"

#include <string>

namespace et::inspector {

/// Operator of a node; for a functionalized one, the wrapped operator in the Edge graph's spelling.
[[nodiscard]] std::string calledOperator(const etrecord::Node& node);

}  // namespace et::inspector

#pragma once

#include "etrecord/exported_graph.h"

#include <string_view>

namespace et::inspector {

/// Operator of a node; for a functionalized one, the wrapped operator in the Edge graph's spelling. Borrowed
/// from the node.
[[nodiscard]] std::string_view calledOperator(const etrecord::Node& node);

}  // namespace et::inspector

#pragma once

#include "backends/lowering/edge_method.h"

#include <vector>

namespace et::backends::xnnpack {

/// Groups the nodes that were taken, of which `folded` ones need no place, so that no group depends on itself
/// through nodes that were not: as few groups as there are such nodes behind one another, in an order in
/// which each comes after those that it needs. Nodes of a group stand in graph order.
[[nodiscard]] std::vector<std::vector<lowering::NodeIndex>> groupNodes(const lowering::EdgeMethod& method,
                                                                       const std::vector<bool>& taken,
                                                                       const std::vector<bool>& folded);

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/lowering/edge_method.h"

#include <vector>

namespace et::backends::xnnpack {

/// Groups the delegated nodes so that no group depends on itself through other nodes; `folded` nodes need no
/// group. The number of groups is minimal, and each group comes after those it needs. Nodes of a group are in
/// graph order.
[[nodiscard]] std::vector<std::vector<lowering::NodeIndex>> groupNodes(const lowering::EdgeMethod& method,
                                                                       const std::vector<bool>& taken,
                                                                       const std::vector<bool>& folded);

}  // namespace et::backends::xnnpack

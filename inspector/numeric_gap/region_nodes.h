#pragma once

#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/node_mapping.h"

#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// The nodes that the delegate call may compute: those with its handles, and connected ones that no
/// instruction computes.
/// `isOwned`: whether an instruction has the handle.
[[nodiscard]] std::vector<etrecord::NodeIndex> nodesOfRegion(
    const GraphWalk& graph, const DelegateRegion& region, const std::set<etrecord::NodeIndex>& taken,
    const std::function<bool(core::DebugHandle)>& isOwned);

/// The values of nodes (in graph order) that other nodes read, or the graph returns.
[[nodiscard]] std::vector<std::string_view> resultsOf(const GraphWalk& graph,
                                                      std::span<const etrecord::NodeIndex> nodes);

/// Whether a value that leaves a region is computed by none of the taken nodes. False if another delegate
/// shares handles with the region.
[[nodiscard]] bool hasUntakenResult(const GraphWalk& graph, const DelegateRegion& region,
                                    const std::set<etrecord::NodeIndex>& taken);

}  // namespace et::inspector

#pragma once

#include "backends/reference/regions.h"
#include "backends/reference/value_names.h"

#include <set>
#include <string>
#include <vector>

// Records of programs with control flow lack debug handles. The nodes of a delegate are then found by
// exclusion: kernels of the program match the graph's nodes in order, and the remaining nodes belong to
// delegates.
namespace et::backends::reference {

/// A region of a method and the graph it was made from.
struct RegionMatch {
    const etrecord::ExportedGraph* graph = nullptr;
    bool isSubgraph = false;
    ValueNames names;                          ///< names of the program's values in this graph
    std::vector<etrecord::NodeIndex> unknown;  ///< nodes that match no kernel
    std::vector<std::int32_t> delegates;       ///< instructions of the region that call a delegate
    std::set<std::string> weights;  ///< inputs of a subgraph that are parameters or buffers of the outer
                                    ///< graph
};

/// The regions of the method's first chain that call delegates.
[[nodiscard]] std::vector<RegionMatch> matchRegions(const program::Method& method,
                                                    const etrecord::ExportedGraph& graph,
                                                    const kernels::KernelRegistry& registry);

}  // namespace et::backends::reference

#pragma once

#include "backends/reference/regions.h"
#include "backends/reference/value_names.h"

#include <set>
#include <string>
#include <vector>

// Records of programs with control flow say nothing of debug handles. What a delegate took is found by the
// rest then: kernels of the program are the graph's nodes in the same order, and the nodes that are left are
// the delegates'.
namespace et::backends::reference {

/// A region of a method and the graph that it was made from.
struct RegionMatch {
    const etrecord::ExportedGraph* graph = nullptr;
    bool isSubgraph = false;
    ValueNames names;                          ///< of the program's values, in this graph
    std::vector<etrecord::NodeIndex> unknown;  ///< nodes that no kernel computes
    std::vector<std::int32_t> delegates;       ///< instructions of the region that call one
    std::set<std::string> weights;  ///< inputs of a subgraph that are the outer graph's own tensors
};

/// The regions of the method's first chain that call delegates.
[[nodiscard]] std::vector<RegionMatch> matchRegions(const program::Method& method,
                                                    const etrecord::ExportedGraph& graph,
                                                    const kernels::KernelRegistry& registry);

}  // namespace et::backends::reference

#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/graph.h"

#include <cstddef>
#include <map>
#include <span>
#include <string_view>

namespace et::inspector::graph::detail {

/// Number of uses of each value of a graph, including as output. Borrows names from the graph.
using UseCounts = std::map<std::string_view, std::size_t>;
[[nodiscard]] UseCounts useCounts(const etrecord::ExportedGraph& graph);

/// A subgraph of some nodes, in graph order: values from other nodes are inputs, values used by other nodes
/// are outputs, and parameters are constants. `uses` are those of the whole graph.
[[nodiscard]] core::ModelGraph recordedPart(const etrecord::ExportedGraph& whole,
                                            std::span<const etrecord::Node* const> nodes,
                                            const UseCounts& uses);

}  // namespace et::inspector::graph::detail

#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/graph.h"

#include <cstddef>
#include <map>
#include <span>
#include <string_view>

namespace et::inspector::detail {

/// How often each value of a graph is used, its outputs among the uses. Borrows names from the graph.
using UseCounts = std::map<std::string_view, std::size_t>;
[[nodiscard]] UseCounts useCounts(const etrecord::ExportedGraph& graph);

/// Some nodes of a graph, in its order, by themselves: what they take from others are inputs, what others
/// take of them are outputs, and parameters are constants. `uses` are those of the whole graph.
[[nodiscard]] core::ModelGraph recordedPart(const etrecord::ExportedGraph& whole,
                                            std::span<const etrecord::Node* const> nodes,
                                            const UseCounts& uses);

}  // namespace et::inspector::detail

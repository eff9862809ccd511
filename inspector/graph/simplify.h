#pragma once

#include "runtime/core/graph.h"

#include <cstddef>

// Simplifies a graph for reading: hides nodes that do not compute tensors, and folds repeated modules.
namespace et::inspector {

struct SimplifyOptions {
    /// Hides scalars, sizes and checks with nodes that serve only these, and views: consumers of a view are
    /// connected to the viewed value. Nodes outside all modules, such as cache updates, are assigned to the
    /// module that they serve.
    bool hideNonComputing = true;
    /// Groups sibling modules with consecutively numbered names and nearly the same operators into a group of
    /// kind `repeatKind`: "layers.0 … layers.5 × 6".
    bool foldRepeats = true;
};

inline constexpr const char* repeatKind = "repeat";

struct SimplifiedGraph {
    core::ModelGraph graph;   ///< with the names of the remaining nodes, in order
    std::size_t hidden = 0;   ///< number of hidden nodes
    std::size_t repeats = 0;  ///< groups of repeated modules
};

/// Groups must come after their parents in `graph`, as from all sources; they also do in the result.
[[nodiscard]] SimplifiedGraph simplified(const core::ModelGraph& graph, const SimplifyOptions& options = {});

}  // namespace et::inspector

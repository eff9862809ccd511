#pragma once

#include "runtime/core/graph.h"

#include <cstddef>

// A graph made easier to read: what only keeps it running is left out, and what repeats stands once.
namespace et::inspector {

struct SimplifyOptions {
    /// Leaves out scalars, sizes and checks with what only they use, and views: what takes from a view takes
    /// from what it is a view of. Nodes that stand in no module, as updates of a cache, come to the one they
    /// work for.
    bool hidePlumbing = true;
    /// Puts modules that stand beside one another, have names that count up and hold nearly the same
    /// operators into a group of kind `repeatKind`: "layers.0 … layers.5 × 6".
    bool foldRepeats = true;
};

inline constexpr const char* repeatKind = "repeat";

struct SimplifiedGraph {
    core::ModelGraph graph;   ///< with the names of the nodes that are left, in their order
    std::size_t hidden = 0;   ///< nodes that are left out
    std::size_t repeats = 0;  ///< groups of repeated modules
};

/// Groups stand behind their parents in `graph`, as all sources make them; they do so in the result.
[[nodiscard]] SimplifiedGraph simplified(const core::ModelGraph& graph, const SimplifyOptions& options = {});

}  // namespace et::inspector

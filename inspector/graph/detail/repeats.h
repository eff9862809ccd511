#pragma once

#include "runtime/core/graph.h"

#include <string>
#include <vector>

namespace et::inspector::graph::detail {

/// Sibling modules with nearly the same content.
struct Repeat {
    std::string name;                        ///< "layers.0 … layers.5 × 6"
    std::vector<core::GraphGroupId> groups;  ///< at least two, ordered by number
};

/// Finds modules whose names differ in one consecutive number and whose operators are the same, with at most
/// one in ten differing.
[[nodiscard]] std::vector<Repeat> findRepeats(const core::ModelGraph& graph);

}  // namespace et::inspector::graph::detail

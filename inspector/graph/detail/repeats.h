#pragma once

#include "runtime/core/graph.h"

#include <string>
#include <vector>

namespace et::inspector::detail {

/// Modules that stand beside one another and hold nearly the same.
struct Repeat {
    std::string name;                        ///< "layers.0 … layers.5 × 6"
    std::vector<core::GraphGroupId> groups;  ///< at least two, by their number
};

/// Of modules whose names differ in one number that counts up, those whose operators are the same, but for
/// one in ten.
[[nodiscard]] std::vector<Repeat> findRepeats(const core::ModelGraph& graph);

}  // namespace et::inspector::detail

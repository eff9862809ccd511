#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::tasks {

/// Selects a part of a graph, as on the command line.
struct GraphSelection {
    std::vector<std::string> expand;    ///< groups by name or module; "all"
    std::vector<std::string> collapse;  ///< likewise
    std::size_t budget = inspector::DiagramOptions{}.budget;
    std::string find;                 ///< regular expression; empty: nothing
    std::vector<std::string> around;  ///< nodes by name
    std::size_t depth = inspector::DiagramOptions{}.depth;
};

/// The selection resolved for one graph.
struct Selected {
    inspector::DiagramOptions options;
    std::vector<bool> found;  ///< by node; empty: no search
};

/// Errors: NotFound (the graph has no such group or node; the message suggests a similar name),
/// InvalidArgument and Limit (an invalid expression).
[[nodiscard]] core::Result<Selected> select(const core::ModelGraph& graph, const GraphSelection& selection);

}  // namespace et::tasks

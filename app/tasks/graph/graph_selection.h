#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::app {

/// What of a graph to show, as the command line says it.
struct GraphSelection {
    std::vector<std::string> expand;    ///< groups by name or module; "all"
    std::vector<std::string> collapse;  ///< likewise
    std::size_t budget = inspector::DiagramOptions{}.budget;
    std::string find;                 ///< regular expression; empty: nothing
    std::vector<std::string> around;  ///< nodes by name
    std::size_t depth = inspector::DiagramOptions{}.depth;
};

/// The same in terms of one graph.
struct Selected {
    inspector::DiagramOptions options;
    std::vector<bool> found;  ///< by node; empty: nothing was looked for
};

/// Errors: NotFound (a group or node that the graph does not have; names a like one), InvalidArgument and
/// Limit (a bad expression).
[[nodiscard]] core::Result<Selected> select(const core::ModelGraph& graph, const GraphSelection& selection);

}  // namespace et::app

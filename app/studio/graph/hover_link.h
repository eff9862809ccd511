#pragma once

#include "inspector/graph/session_graphs.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/graph.h"
#include "visualizers/selection.h"

#include <optional>
#include <vector>

namespace et::studio {

/// Which event stands for a node of a graph, and the other way round, known ahead: the pointer moves often.
class HoverLink {
  public:
    /// Null or without events: nothing is linked. An event of the node's debug handles, of several the one
    /// with the fewest others, else one of its instruction.
    HoverLink() = default;
    HoverLink(const core::ModelGraph& graph, const inspector::GraphChoice& choice,
              const inspector::EventBlocks* blocks);

    [[nodiscard]] std::optional<visualizers::EventRef> eventOf(core::GraphNodeId node) const;
    /// A flag for each node; empty: none.
    [[nodiscard]] std::vector<bool> nodesOf(const std::optional<visualizers::EventRef>& event) const;

  private:
    std::vector<std::optional<visualizers::EventRef>> events;  ///< by node
};

}  // namespace et::studio

#pragma once

#include "inspector/graph/session_graphs.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/graph.h"
#include "visualizers/selection.h"

#include <optional>
#include <vector>

namespace et::studio {

/// Maps nodes of a graph to events and back. Precomputed, because the pointer moves often.
class HoverLink {
  public:
    /// Null or without events: nothing is linked. A node maps to an event with its debug handles (of several,
    /// the one with the fewest others), else to one of its instruction.
    HoverLink() = default;
    HoverLink(const core::ModelGraph& graph, const inspector::GraphChoice& choice,
              const inspector::EventBlocks* blocks);

    [[nodiscard]] std::optional<visualizers::EventRef> eventOf(core::GraphNodeId node) const;
    /// One flag per node; empty: none.
    [[nodiscard]] std::vector<bool> nodesOf(const std::optional<visualizers::EventRef>& event) const;

  private:
    std::vector<std::optional<visualizers::EventRef>> events;  ///< by node
};

}  // namespace et::studio

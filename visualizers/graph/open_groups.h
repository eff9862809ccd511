#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <memory>
#include <vector>

namespace et::visualizers {

/// Which groups of a graph are open, as a person opens and folds them.
class OpenGroups {
  public:
    OpenGroups() = default;
    /// Those of a first diagram are open.
    OpenGroups(std::shared_ptr<const core::ModelGraph> of, const inspector::Diagram& first);

    /// Shows just this, with no budget.
    [[nodiscard]] inspector::DiagramOptions options() const;
    [[nodiscard]] bool isOpen(core::GraphGroupId group) const { return open[group.value]; }

    /// Opens a group with those around it, and what is in it as long as that is a single group.
    void openGroup(core::GraphGroupId group);
    /// Folds it, and all inside: opened again, it shows what is directly in it.
    void fold(core::GraphGroupId group);
    void openAll();
    void foldAll();
    /// Opens what is around a node. False: all of that was open.
    bool openTo(core::GraphNodeId node);

  private:
    bool openAround(std::optional<core::GraphGroupId> group);
    [[nodiscard]] std::optional<core::GraphGroupId> onlyGroupIn(core::GraphGroupId group) const;

    std::shared_ptr<const core::ModelGraph> graph;
    std::vector<bool> open;
};

}  // namespace et::visualizers

#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <memory>
#include <vector>

namespace et::visualizers {

/// Open and folded groups of a graph.
class OpenGroups {
  public:
    OpenGroups() = default;
    /// Starts with the open groups of a first diagram.
    OpenGroups(std::shared_ptr<const core::ModelGraph> of, const inspector::Diagram& first);

    /// Options that show exactly this, without a budget.
    [[nodiscard]] inspector::DiagramOptions options() const;
    [[nodiscard]] bool isOpen(core::GraphGroupId group) const { return open[group.value]; }

    /// Opens a group and its parents, and its content as long as that is a single group.
    void openGroup(core::GraphGroupId group);
    /// Folds a group and everything inside; opened again, it shows only its direct content.
    void fold(core::GraphGroupId group);
    void openAll();
    void foldAll();
    /// Opens all groups around a node. Returns false if all of them were open.
    bool openTo(core::GraphNodeId node);

  private:
    bool openAround(std::optional<core::GraphGroupId> group);
    [[nodiscard]] std::optional<core::GraphGroupId> onlyGroupIn(core::GraphGroupId group) const;

    std::shared_ptr<const core::ModelGraph> graph;
    std::vector<bool> open;
};

}  // namespace et::visualizers

#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/graph.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::detail {

/// Makes the modules of a graph nested groups, each once.
class ModuleGroups {
  public:
    /// Below `parent`, where the graph is part of a larger one.
    explicit ModuleGroups(core::ModelGraph& to, std::optional<core::GraphGroupId> parent = std::nullopt)
        : graph(to), outermost(parent) {}

    /// The group of the innermost of these frames. The model itself, which all have as their first frame, is
    /// no group.
    std::optional<core::GraphGroupId> groupOf(std::span<const etrecord::ModuleFrame> stack);
    /// The group of what all nodes have in common.
    std::optional<core::GraphGroupId> commonGroup(std::span<const etrecord::Node* const> nodes);

  private:
    core::ModelGraph& graph;
    std::optional<core::GraphGroupId> outermost;
    std::map<std::pair<std::optional<core::GraphGroupId>, std::string>, core::GraphGroupId> groups;
};

}  // namespace et::inspector::detail

#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/graph.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::graph::detail {

/// Converts the modules of a graph to nested groups, without duplicates.
class ModuleGroups {
  public:
    /// Creates groups below `parent`, if the graph is part of a larger one.
    explicit ModuleGroups(core::ModelGraph& to, std::optional<core::GraphGroupId> parent = std::nullopt)
        : graph(to), outermost(parent) {}

    /// The group of the innermost of these frames. The model itself, the first frame of all stacks, has no
    /// group.
    std::optional<core::GraphGroupId> groupOf(std::span<const etrecord::ModuleFrame> stack);

  private:
    core::ModelGraph& graph;
    std::optional<core::GraphGroupId> outermost;
    std::map<std::pair<std::optional<core::GraphGroupId>, std::string>, core::GraphGroupId> groups;
};

/// The modules that each instruction is drawn in: those common to its nodes or, if most of a delegate is in
/// one block of a list ("layers.1"), those common to its nodes in the block. Instructions that exporter
/// passes added have no nodes in a module: they get the modules common to the instructions before and after
/// them.
[[nodiscard]] std::vector<std::span<const etrecord::ModuleFrame>> modulesByInstruction(
    std::span<const std::vector<const etrecord::Node*>> nodes);

}  // namespace et::inspector::graph::detail

#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Selects the drawn part of a graph: open groups, groups folded to one box, and the remaining lines.
namespace et::inspector {

struct DiagramOptions {
    /// Box budget for opening groups, from the outermost to the innermost, smallest first; 0: none is opened.
    /// Groups in `expand` are opened regardless.
    std::size_t budget = 160;
    bool expandAll = false;
    std::vector<core::GraphGroupId> expand{};
    std::vector<core::GraphGroupId> collapse{};
    /// Show only nodes at most `depth` values away from these; empty: all.
    std::vector<core::GraphNodeId> around{};
    std::size_t depth = 2;
};

/// A box: a node, a folded group, or an input or output value.
struct DiagramBox {
    enum class Kind : std::uint8_t { Node, Group, Input, Output };
    Kind kind = Kind::Node;
    std::uint32_t id = 0;                    ///< of the node, group or value
    std::optional<std::size_t> parent{};     ///< enclosing open group, in Diagram::groups
    std::vector<core::GraphNodeId> nodes{};  ///< all nodes it represents; empty for values
};

/// An open group with a frame; groups with a single member have none.
struct DiagramGroup {
    core::GraphGroupId id;
    std::optional<std::size_t> parent{};  ///< precedes it
};

struct DiagramEdge {
    std::size_t from = 0;  ///< in Diagram::boxes
    std::size_t to = 0;
    std::vector<core::GraphValueId> values{};  ///< each once
};

struct Diagram {
    std::vector<DiagramBox> boxes;  ///< in graph order
    std::vector<DiagramGroup> groups;
    std::vector<DiagramEdge> edges;
    std::size_t hidden = 0;  ///< nodes excluded by `around`
    /// Open groups, including those without a frame: passed as `expand` with a budget of 0, they reproduce
    /// the diagram.
    std::vector<core::GraphGroupId> open;

    [[nodiscard]] static Diagram of(const core::ModelGraph& graph, const DiagramOptions& options);
};

/// A group as a box, with all nodes in it.
[[nodiscard]] DiagramBox boxOfGroup(const core::ModelGraph& graph, core::GraphGroupId group);

/// The innermost group that contains a box, open or not; empty for inputs and outputs.
[[nodiscard]] std::optional<core::GraphGroupId> groupAround(const core::ModelGraph& graph,
                                                            const DiagramBox& box);

/// Nodes at most `depth` values away from `from`, including `from`, in graph order.
[[nodiscard]] std::vector<core::GraphNodeId> neighbourhood(const core::ModelGraph& graph,
                                                           const std::vector<core::GraphNodeId>& from,
                                                           std::size_t depth);

}  // namespace et::inspector

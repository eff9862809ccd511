#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Which part of a graph is drawn: groups that are open, groups that are folded to one box, and the lines
// between what is left.
namespace et::inspector {

struct DiagramOptions {
    /// Boxes that groups are opened for, from the outermost to the innermost, the smallest first; 0: none is
    /// opened. What `expand` names is opened whatever it takes.
    std::size_t budget = 160;
    bool expandAll = false;
    std::vector<core::GraphGroupId> expand{};
    std::vector<core::GraphGroupId> collapse{};
    /// Only the nodes at most `depth` values away from these; empty: all.
    std::vector<core::GraphNodeId> around{};
    std::size_t depth = 2;
};

/// A box: a node, a folded group, or a value that comes from outside or leaves.
struct DiagramBox {
    enum class Kind : std::uint8_t { Node, Group, Input, Output };
    Kind kind = Kind::Node;
    std::uint32_t id = 0;                    ///< of the node, group or value
    std::optional<std::size_t> parent{};     ///< open group around it, in Diagram::groups
    std::vector<core::GraphNodeId> nodes{};  ///< all that it stands for; none for values
};

/// A group that is open, with a frame around it; one around a single thing is left out.
struct DiagramGroup {
    core::GraphGroupId id;
    std::optional<std::size_t> parent{};  ///< stands before it
};

struct DiagramEdge {
    std::size_t from = 0;  ///< in Diagram::boxes
    std::size_t to = 0;
    std::vector<core::GraphValueId> values{};  ///< each once
};

struct Diagram {
    std::vector<DiagramBox> boxes;  ///< in the order of the graph
    std::vector<DiagramGroup> groups;
    std::vector<DiagramEdge> edges;
    std::size_t hidden = 0;  ///< nodes that `around` leaves out
    /// Groups that are open, those without a frame among them: given as `expand` with no budget, they make
    /// the same diagram again.
    std::vector<core::GraphGroupId> open;

    [[nodiscard]] static Diagram of(const core::ModelGraph& graph, const DiagramOptions& options);
};

/// A group as a box, with all nodes in it.
[[nodiscard]] DiagramBox boxOfGroup(const core::ModelGraph& graph, core::GraphGroupId group);

/// The innermost group that a box stands in, open or not; nothing for inputs and outputs.
[[nodiscard]] std::optional<core::GraphGroupId> groupAround(const core::ModelGraph& graph,
                                                            const DiagramBox& box);

/// Nodes at most `depth` values away from `from`, which is among them, in the order of the graph.
[[nodiscard]] std::vector<core::GraphNodeId> neighbourhood(const core::ModelGraph& graph,
                                                           const std::vector<core::GraphNodeId>& from,
                                                           std::size_t depth);

}  // namespace et::inspector

#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <QPointF>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// View and selection of a graph by names, because a reloaded graph has other ids.
struct GraphViewState {
    /// A node, as the nth with its name, or a group.
    struct Part {
        std::string name;  ///< for a group: includes the names of its parents
        std::size_t nth = 0;
        bool group = false;
        bool operator==(const Part&) const = default;
    };
    struct Anchor {
        Part node;
        /// Pixels from the centre of the canvas to the centre of its box, because bars next to the canvas
        /// appear and disappear.
        QPointF fromMiddle;
    };
    static constexpr std::size_t maxAnchors = 64;

    std::vector<std::string> open;  ///< groups, each with the names of its parents
    std::vector<Anchor> anchors;    ///< the first that still exists is used
    std::optional<Part> chosen;     ///< nothing: no selection
    double scale = 1;               ///< pixels per unit of the plane
};

/// Index of the nodes of a graph by name.
class NodeNames {
  public:
    explicit NodeNames(const core::ModelGraph& graph);

    [[nodiscard]] GraphViewState::Part nameOf(core::GraphNodeId node) const;
    /// Returns nothing if there is no such node.
    [[nodiscard]] std::optional<core::GraphNodeId> find(const GraphViewState::Part& node) const;

  private:
    const core::ModelGraph* graph;
    std::vector<std::size_t> order;  ///< positions of nodes, sorted by name, then in graph order
};

/// Joins "layers.0", "block" to one text, unique among groups unless names are equal.
[[nodiscard]] std::string pathOf(const core::ModelGraph& graph, core::GraphGroupId group);
[[nodiscard]] std::optional<core::GraphGroupId> findGroup(const core::ModelGraph& graph,
                                                          const std::string& path);

/// Options that open the same groups again, or the default diagram if none of them exists.
[[nodiscard]] inspector::DiagramOptions reopenGroups(const core::ModelGraph& graph,
                                                     const std::vector<std::string>& open);

}  // namespace et::visualizers

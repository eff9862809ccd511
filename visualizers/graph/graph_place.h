#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <QPointF>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// What a person looks at in a graph, by names: a graph that is read again has other ids.
struct GraphPlace {
    /// A node, as one of those of its name, or a group.
    struct Part {
        std::string name;  ///< of a group: with the names of those around it
        std::size_t nth = 0;
        bool group = false;
        bool operator==(const Part&) const = default;
    };
    struct Anchor {
        Part node;
        /// Pixels from the middle of the picture to that of its box: bars come and go beside the picture.
        QPointF fromMiddle;
    };
    static constexpr std::size_t maxAnchors = 64;

    std::vector<std::string> open;  ///< groups, each with the names of those around it
    std::vector<Anchor> anchors;    ///< the first that is still there decides
    std::optional<Part> chosen;     ///< nothing: no part is
    double scale = 1;               ///< pixels a unit of the plane
};

/// The nodes of a graph by their names.
class NodeNames {
  public:
    explicit NodeNames(const core::ModelGraph& graph);

    [[nodiscard]] GraphPlace::Part nameOf(core::GraphNodeId node) const;
    /// Nothing: there is no such node.
    [[nodiscard]] std::optional<core::GraphNodeId> find(const GraphPlace::Part& node) const;

  private:
    const core::ModelGraph* graph;
    std::vector<std::size_t> order;  ///< positions of nodes, by name and then as in the graph
};

/// "layers.0", "block" as one text that no other group has, unless they are called the same.
[[nodiscard]] std::string pathOf(const core::ModelGraph& graph, core::GraphGroupId group);
[[nodiscard]] std::optional<core::GraphGroupId> findGroup(const core::ModelGraph& graph,
                                                          const std::string& path);

/// What opens the same groups again; the usual first diagram where they are all gone.
[[nodiscard]] inspector::DiagramOptions openAgain(const core::ModelGraph& graph,
                                                  const std::vector<std::string>& open);

}  // namespace et::visualizers

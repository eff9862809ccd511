#pragma once

#include "app/studio/background.h"
#include "runtime/core/graph.h"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {
class GraphCanvas;
class GraphFindBar;
}  // namespace et::visualizers

namespace et::studio {

/// Searches nodes of a graph in the background, highlights them on the canvas and steps through them.
class GraphFinder : public QObject {
    Q_OBJECT

  public:
    GraphFinder(visualizers::GraphFindBar& typed, visualizers::GraphCanvas& shown, QObject* parent);

    /// Repeats the search in another graph; null: none.
    void setGraph(std::shared_ptr<const core::ModelGraph> in);
    void next();
    void previous();
    [[nodiscard]] bool busy() const;
    [[nodiscard]] const std::vector<core::GraphNodeId>& matches() const { return found; }

  signals:
    void nodeWanted(et::core::GraphNodeId node);  ///< requests to show the node, opening groups as necessary

  private:
    struct Search {
        std::vector<bool> found;
        std::string error;
    };
    void searchFor(const QString& text);
    void take(const Search& result);
    void show(std::size_t match);

    visualizers::GraphFindBar& bar;
    visualizers::GraphCanvas& canvas;
    Background<Search> searching;
    std::shared_ptr<const core::ModelGraph> graph;
    std::vector<core::GraphNodeId> found;
    std::optional<std::size_t> place;
};

}  // namespace et::studio

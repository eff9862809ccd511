#pragma once

#include "app/tasks/graph/graph_source.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"
#include "inspector/graph/model_explorer.h"
#include "runtime/core/result.h"

#include <memory>
#include <string>
#include <vector>

namespace et::output {

/// Selects a graph and how it is shown.
struct GraphQuery {
    tasks::GraphSource source;
    tasks::GraphSelection selection;
    inspector::Overlay overlay = inspector::Overlay::Kind;
    bool leftToRight = false;
    bool simplify = false;  ///< omit views, scalars and checks; group repeated modules
};

/// A graph in all output formats.
class GraphPage {
  public:
    /// Errors: InvalidArgument (times requested without a trace, errors without a gap), those of openGraph()
    /// and select().
    [[nodiscard]] static core::Result<GraphPage> open(const GraphQuery& question);

    [[nodiscard]] const std::vector<std::string>& warnings() const { return opened->warnings; }
    /// True if a search was requested and nothing matches.
    [[nodiscard]] bool foundNothing() const;
    /// The graph as indented lines.
    [[nodiscard]] std::string text() const;
    /// JSON as described in docs/reference/json.md.
    [[nodiscard]] std::string json() const;
    [[nodiscard]] std::string dot() const;
    /// The shown nodes, with those of folded groups, as a graph collection for Model Explorer.
    [[nodiscard]] std::string explorer(inspector::ExplorerLayers layers) const;
    /// Node data for that collection, by the name that Model Explorer shows.
    [[nodiscard]] std::vector<inspector::ExplorerData> explorerData() const;
    /// The graph as SVG. Errors: those of layOut().
    [[nodiscard]] core::Result<std::string> picture(const inspector::LayoutOptions& options) const;

  private:
    [[nodiscard]] inspector::GraphView view() const;
    [[nodiscard]] inspector::ExplorerView explorerView(inspector::ExplorerLayers layers) const;
    [[nodiscard]] inspector::GraphNumbers times() const;
    [[nodiscard]] inspector::GraphNumbers errors() const;

    GraphQuery asked;
    std::unique_ptr<const tasks::OpenedGraph> opened;  ///< on the heap, for a stable address
    tasks::Selected selected;
    inspector::Diagram diagram;
    std::vector<bool> shown;  ///< by node: whether a box contains it
    std::vector<inspector::BoxLabel> labels;
    inspector::BoxColours colours;
};

}  // namespace et::output

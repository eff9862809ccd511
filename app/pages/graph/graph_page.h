#pragma once

#include "app/tasks/graph/graph_selection.h"
#include "app/tasks/graph/graph_source.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/graph/graph_picture.h"
#include "runtime/core/result.h"

#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// Which graph to show, what of it, and how.
struct GraphQuestion {
    GraphSource source;
    GraphSelection selection;
    inspector::Overlay overlay = inspector::Overlay::Kind;
    bool leftToRight = false;
    bool simplify = false;  ///< leave out views, scalars and checks; modules that repeat become one group
};

/// A graph in all the forms that it is shown in.
class GraphPage {
  public:
    /// Errors: InvalidArgument (times to show, but no trace), those of openGraph() and select().
    [[nodiscard]] static core::Result<GraphPage> open(const GraphQuestion& question);

    [[nodiscard]] const std::vector<std::string>& warnings() const { return opened->warnings; }
    /// Something was looked for, and nothing matches.
    [[nodiscard]] bool foundNothing() const;
    /// As indented lines.
    [[nodiscard]] std::string text() const;
    /// As docs/json.md has it.
    [[nodiscard]] std::string json() const;
    [[nodiscard]] std::string dot() const;
    /// As SVG. Errors: those of layOut().
    [[nodiscard]] core::Result<std::string> picture(const inspector::LayoutOptions& options) const;

  private:
    [[nodiscard]] inspector::GraphView view() const;

    GraphQuestion asked;
    std::unique_ptr<const OpenedGraph> opened;  ///< at an address that stays
    Selected selected;
    inspector::Diagram diagram;
    std::vector<inspector::BoxLabel> labels;
    inspector::BoxColours colours;
};

}  // namespace et::app

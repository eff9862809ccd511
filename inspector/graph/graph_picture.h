#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_layout.h"
#include "inspector/graph/graph_overlay.h"
#include "runtime/core/graph.h"

#include <string>
#include <vector>

namespace et::inspector {

/// A diagram with all that a picture shows. Borrowed.
struct GraphView {
    const core::ModelGraph& graph;
    const Diagram& diagram;
    const std::vector<BoxLabel>& labels;
    const BoxColours& colours;
    const std::vector<bool>& found;  ///< by node: it is to stand out; empty: none
    bool leftToRight = false;
};

/// What a picture of the view needs: a box for each, as large as its words.
[[nodiscard]] LayoutRequest layoutRequest(const GraphView& view);

/// The picture as SVG, with a legend on top. Resting the mouse on a box or a line says what it is.
[[nodiscard]] std::string graphPicture(const GraphView& view, const GraphLayout& layout);

/// The boxes that stand for nodes that are to stand out.
[[nodiscard]] std::vector<bool> foundBoxes(const GraphView& view);

}  // namespace et::inspector

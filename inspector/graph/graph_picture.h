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
    /// Nodes have a line with their name, and where colours come with a note, the note stands there instead:
    /// so the size of boxes does not depend on the colours.
    bool names = false;
};

/// Sizes of letters and lines in boxes, in points.
struct BoxMetrics {
    double titleSize = 12;
    double detailSize = 10;
    double titleLine = 16;
    double detailLine = 13;
    double padding = 9;
};
inline constexpr BoxMetrics boxMetrics{};

/// The lines of a box, cut to the width of the widest box; the first is its title.
[[nodiscard]] std::vector<std::string> boxLines(const GraphView& view, std::size_t box);
/// The title of an open group, cut likewise.
[[nodiscard]] std::string frameTitle(const GraphView& view, const DiagramGroup& group);

/// What a picture of the view needs: a box for each, as large as its words.
[[nodiscard]] LayoutRequest layoutRequest(const GraphView& view);

/// The picture as SVG, with a legend on top. Resting the mouse on a box or a line says what it is.
[[nodiscard]] std::string graphPicture(const GraphView& view, const GraphLayout& layout);

/// The boxes that stand for nodes that are to stand out.
[[nodiscard]] std::vector<bool> foundBoxes(const GraphView& view);

}  // namespace et::inspector

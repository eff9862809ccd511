#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_layout.h"
#include "inspector/graph/graph_overlay.h"
#include "runtime/core/graph.h"

#include <array>
#include <string>
#include <vector>

namespace et::inspector {

inline const std::vector<bool> noHighlights{};

/// A diagram with everything that an image shows. Borrowed.
struct GraphView {
    const core::ModelGraph& graph;
    const Diagram& diagram;
    const std::vector<BoxLabel>& labels;
    const BoxColours& colours;
    const std::vector<bool>& found = noHighlights;  ///< by node: highlighted; empty: none
    bool leftToRight = false;
    /// Nodes have a line with their name, replaced with the note of the colours if there is one, so that the
    /// size of boxes does not depend on the colours.
    bool names = false;
};

/// Font sizes and line spacing in boxes, in points.
struct BoxMetrics {
    double titleSize = 12;
    double detailSize = 10;
    double titleLine = 16;
    double detailLine = 13;
    double padding = 9;
};
inline constexpr BoxMetrics boxMetrics{};

inline constexpr double arrowLength = 7;  ///< in points
/// Corners of the arrow head of an edge with at least two points, starting with its tip.
[[nodiscard]] std::array<LayoutPoint, 3> arrowHead(const std::vector<LayoutPoint>& edge);

/// The lines of a box, shortened to the maximum box width; the first is its title.
[[nodiscard]] std::vector<std::string> boxLines(const GraphView& view, std::size_t box);
/// The title of an open group, shortened likewise.
[[nodiscard]] std::string frameTitle(const GraphView& view, const DiagramGroup& group);

/// Layout request for the view, with box sizes from their texts.
[[nodiscard]] LayoutRequest layoutRequest(const GraphView& view);

/// The image as SVG, with a legend on top. Boxes and lines have tooltips.
[[nodiscard]] std::string graphPicture(const GraphView& view, const GraphLayout& layout);

/// Boxes that contain highlighted nodes.
[[nodiscard]] std::vector<bool> foundBoxes(const GraphView& view);

}  // namespace et::inspector

#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// The words of a box.
struct BoxLabel {
    std::string title;    ///< "conv2d", "features.3 (12 nodes)"
    std::string name;     ///< of a node: "aten_convolution_default", "0.n12"; else empty
    std::string detail;   ///< "float32 [1, 16, 48, 48]"; may be empty
    std::string tooltip;  ///< everything that is known, in lines
};

/// In the order of the boxes.
[[nodiscard]] std::vector<BoxLabel> labelsOf(const core::ModelGraph& graph, const Diagram& diagram);

/// "convolution" of "aten::convolution.out" and "aten.convolution.default": what sets operators apart.
[[nodiscard]] std::string shortKind(std::string_view kind);
/// What people call what a node does, as the tables of events do: "conv2d" of "aten.convolution.default", or
/// the short kind of what is no operator of PyTorch.
[[nodiscard]] std::string readableKind(const core::ModelGraph& graph, const core::GraphNode& node);

/// The full name of a module ("features.3.conv"), else the name of the group.
[[nodiscard]] std::string_view groupName(const core::GraphGroup& group);

/// Name, kind, group, values, attributes and debug handles of a node, in lines.
[[nodiscard]] std::string nodeTooltip(const core::ModelGraph& graph, const core::GraphNode& node);

/// What flows along a line: names and types of its values.
[[nodiscard]] std::string edgeTooltip(const core::ModelGraph& graph, const DiagramEdge& edge);

}  // namespace et::inspector

#pragma once

#include "inspector/graph/diagram.h"
#include "runtime/core/graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Texts of a box.
struct BoxLabel {
    std::string title;    ///< "conv2d", "features.3 (12 nodes)"
    std::string name;     ///< node name: "aten_convolution_default", "0.n12", or its module if a delegate
                          ///< fused Edge operators into it; else empty
    std::string detail;   ///< "float32 [1, 16, 48, 48]"; may be empty
    std::string tooltip;  ///< all details, in lines
};

/// In the order of the boxes.
[[nodiscard]] std::vector<BoxLabel> labelsOf(const core::ModelGraph& graph, const Diagram& diagram);

/// Distinguishing part of an operator name: "convolution" of "aten::convolution.out" and
/// "aten.convolution.default".
[[nodiscard]] std::string shortKind(std::string_view kind);
/// Display name of a node's operation, as in tables of events: "conv2d" for "aten.convolution.default", for a
/// node of a delegate that of its Edge operators; else the short kind.
[[nodiscard]] std::string readableKind(const core::ModelGraph& graph, const core::GraphNode& node);

/// Attribute of a delegate's node with the Edge operators that it computes, separated by ", ".
constexpr std::string_view edgeOperatorsAttribute = "Edge operators";
/// Text of the attribute; empty if there is none.
[[nodiscard]] std::string_view attributeOf(const core::GraphNode& node, std::string_view name);

/// The full name of a module ("features.3.conv"), else the name of the group.
[[nodiscard]] std::string_view groupName(const core::GraphGroup& group);

/// Name, kind, group, values, attributes and debug handles of a node, in lines.
[[nodiscard]] std::string nodeTooltip(const core::ModelGraph& graph, const core::GraphNode& node);

/// Names and types of the values on a line.
[[nodiscard]] std::string edgeTooltip(const core::ModelGraph& graph, const DiagramEdge& edge);

}  // namespace et::inspector

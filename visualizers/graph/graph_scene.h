#pragma once

#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_layout.h"
#include "inspector/graph/graph_picture.h"
#include "runtime/core/graph.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// Content of a canvas: a diagram with its layout. Immutable, so that threads can build it and widgets share
/// it.
class GraphScene {
  public:
    struct Parts {
        std::shared_ptr<const core::ModelGraph> graph;
        inspector::Diagram diagram;
        std::vector<inspector::BoxLabel> labels;
        inspector::GraphLayout layout;
        bool leftToRight = false;
    };
    enum class Step : std::uint8_t {
        ToInput,   ///< a box that feeds this one
        ToOutput,  ///< a box that reads from this one
        Previous,  ///< adjacent in layout order
        Next
    };

    explicit GraphScene(Parts all);

    [[nodiscard]] const core::ModelGraph& graph() const { return *parts.graph; }
    [[nodiscard]] const std::shared_ptr<const core::ModelGraph>& sharedGraph() const { return parts.graph; }
    [[nodiscard]] const inspector::Diagram& diagram() const { return parts.diagram; }
    [[nodiscard]] const std::vector<inspector::BoxLabel>& labels() const { return parts.labels; }
    [[nodiscard]] const inspector::GraphLayout& layout() const { return parts.layout; }
    [[nodiscard]] bool leftToRight() const { return parts.leftToRight; }
    /// Borrows the scene and the colours.
    [[nodiscard]] inspector::GraphView view(const inspector::BoxColours& colours) const;

    [[nodiscard]] QRectF bounds() const { return {0, 0, parts.layout.width, parts.layout.height}; }
    [[nodiscard]] const QRectF& boxRect(std::size_t box) const { return boxRects[box]; }
    [[nodiscard]] const QRectF& frameRect(std::size_t frame) const { return frameRects[frame]; }
    /// Bounding rectangle of an edge with its arrow.
    [[nodiscard]] const QRectF& edgeRect(std::size_t edge) const { return edgeRects[edge]; }

    [[nodiscard]] std::optional<std::size_t> boxAt(const QPointF& point) const;
    /// The innermost open group.
    [[nodiscard]] std::optional<std::size_t> frameAt(const QPointF& point) const;
    /// An edge within a distance of `near`.
    [[nodiscard]] std::optional<std::size_t> edgeAt(const QPointF& point, double near) const;

    /// The box that shows the node, alone or folded with others; nothing if it is hidden.
    [[nodiscard]] std::optional<std::size_t> boxOf(core::GraphNodeId node) const;
    /// The box of a folded group; frameOf() returns the frame of an open one.
    [[nodiscard]] std::optional<std::size_t> findFoldedBox(core::GraphGroupId group) const;
    [[nodiscard]] std::optional<std::size_t> frameOf(core::GraphGroupId group) const;
    /// Edges that end at, or start from, a box.
    [[nodiscard]] std::span<const std::size_t> edgesTo(std::size_t box) const { return incoming[box]; }
    [[nodiscard]] std::span<const std::size_t> edgesFrom(std::size_t box) const { return outgoing[box]; }
    /// The next box for a keyboard step; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> walk(std::size_t box, Step step) const;

    /// Flags the boxes that contain at least one of the nodes.
    [[nodiscard]] std::vector<bool> boxesOf(const std::vector<bool>& nodes) const;

  private:
    void connect();
    [[nodiscard]] std::optional<std::size_t> besides(std::size_t box, bool next) const;

    Parts parts;
    std::vector<QRectF> boxRects;
    std::vector<QRectF> frameRects;
    std::vector<QRectF> edgeRects;
    std::vector<std::size_t> boxOfNode;
    std::vector<std::vector<std::size_t>> incoming;
    std::vector<std::vector<std::size_t>> outgoing;
};

}  // namespace et::visualizers

#include "visualizers/graph/graph_viewpoint.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

using inspector::DiagramBox;

namespace {

constexpr double minStartScale = 0.7;  // minimum scale at which text is readable
constexpr double maxStartScale = 0.85;
constexpr double maxChainScale = 1.5;  // a narrow graph in a long pane is enlarged
constexpr double startLength = 900;    // initially visible length of such a graph, in units of the plane
constexpr double startPart = 0.9;      // fraction of the widget for an equally wide graph
constexpr double startRoom = 90;       // margin in pixels before the first box
constexpr double rowEdge = 16;         // margin in pixels around rows

QPointF middleOf(const QSizeF& widget) {
    return {widget.width() / 2, widget.height() / 2};
}

std::optional<GraphViewState::Part> partOf(const GraphMarking& marking, const core::ModelGraph& graph,
                                           const NodeNames& names) {
    const auto part = marking.part();
    if (part && part->kind == DiagramBox::Kind::Group) {
        return GraphViewState::Part{
            .name = pathOf(graph, core::GraphGroupId(part->id)), .nth = 0, .group = true};
    }
    return part && part->kind == DiagramBox::Kind::Node
               ? std::optional(names.nameOf(core::GraphNodeId(part->id)))
               : std::nullopt;
}

/// The boxes with nodes that are nearest to the centre, nearest first.
std::vector<std::size_t> nearestBoxes(const GraphScene& scene, const PlaneView& view, const QPointF& middle,
                                      std::size_t wanted) {
    std::vector<std::pair<double, std::size_t>> near;  // distance from the centre, box
    const auto& boxes = scene.diagram().boxes;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!boxes[i].nodes.empty()) {
            near.emplace_back((view.toScreen(scene.boxRect(i).center()) - middle).manhattanLength(), i);
        }
    }
    const std::size_t count = std::min(near.size(), wanted);
    std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::size_t> nearest;
    for (std::size_t i = 0; i < count; ++i) {
        nearest.push_back(near[i].second);
    }
    return nearest;
}

/// Shows the rows of a wrapped chain at the widget's length, starting with the first.
void showFirstRow(PlaneView& view, const GraphScene& scene, const QSizeF& widget) {
    const QSizeF all = view.content().size();
    const double along = scene.leftToRight() ? widget.width() / (all.width() + 2 * rowEdge)
                                             : widget.height() / (all.height() + 2 * rowEdge);
    view.zoom(std::clamp(along, minStartScale, maxStartScale) / view.scale(), {});
    view.place(view.content().topLeft(), {rowEdge, rowEdge});
    view.reveal(scene.boxRect(0));  // the row may be taller than the widget
}

}  // namespace

void showStart(PlaneView& view, const GraphScene& scene, const QSizeF& widget) {
    if (scene.diagram().boxes.empty() || view.scale() >= minStartScale) {
        return;
    }
    const QSizeF all = view.content().size();
    if (scene.layout().rows > 1) {
        showFirstRow(view, scene, widget);
        return;
    }
    const double across = scene.leftToRight() ? widget.height() / all.height() : widget.width() / all.width();
    const double along = scene.leftToRight() ? widget.width() : widget.height();
    const double most = std::clamp(along / startLength, maxStartScale, maxChainScale);
    view.zoom(std::clamp(across * startPart, minStartScale, most) / view.scale(), {});
    view.place(scene.boxRect(0).center(), scene.leftToRight() ? QPointF(startRoom, widget.height() / 2)
                                                              : QPointF(widget.width() / 2, startRoom));
}

void keepView(PlaneView& view, const GraphScene& scene, const GraphMarks& marks, const PlaneView& old,
              const GraphScene& before, const QSizeF& widget) {
    const QPointF middle = middleOf(widget);
    std::optional<std::pair<QPointF, QPointF>> anchor;  // in the new plane, and on screen
    double nearest = 0;
    for (std::size_t i = 0; i < before.diagram().boxes.size(); ++i) {
        const DiagramBox& box = before.diagram().boxes[i];
        const auto now = box.nodes.empty() ? std::nullopt : scene.boxOf(box.nodes.front());
        const QPointF place = old.toScreen(before.boxRect(i).center());
        const double away = marks.box && now == marks.box ? -1 : (place - middle).manhattanLength();
        if (now && (!anchor || away < nearest)) {
            nearest = away;
            anchor = std::pair(scene.boxRect(*now).center(), place);
        }
    }
    if (anchor) {
        view.zoom(old.scale() / view.scale(), middle);
        view.place(anchor->first, anchor->second);
    }
    if (marks.frame) {
        view.reveal(scene.frameRect(*marks.frame));
    }
}

GraphViewState placeOf(const GraphScene& scene, const PlaneView& view, const GraphMarking& marking,
                       const QSizeF& widget) {
    const core::ModelGraph& graph = scene.graph();
    const NodeNames names(graph);
    GraphViewState result;
    result.scale = view.scale();
    for (const core::GraphGroupId group : scene.diagram().open) {
        result.open.push_back(pathOf(graph, group));
    }
    result.chosen = partOf(marking, graph, names);
    const QPointF middle = middleOf(widget);
    for (const std::size_t box : nearestBoxes(scene, view, middle, GraphViewState::maxAnchors)) {
        result.anchors.push_back({.node = names.nameOf(scene.diagram().boxes[box].nodes.front()),
                                  .fromMiddle = view.toScreen(scene.boxRect(box).center()) - middle});
    }
    return result;
}

void showPlace(const GraphViewState& place, const GraphScene& scene, PlaneView& view, GraphMarking& marking,
               const QSizeF& widget) {
    const NodeNames names(scene.graph());
    for (const GraphViewState::Anchor& anchor : place.anchors) {
        const auto node = names.find(anchor.node);
        if (const auto box = node ? scene.boxOf(*node) : std::nullopt) {
            view.zoom(place.scale / view.scale(), {});
            view.place(scene.boxRect(*box).center(), middleOf(widget) + anchor.fromMiddle);
            break;
        }
    }
    if (place.chosen) {
        marking.choosePart(*place.chosen, names);
    }
}

}  // namespace et::visualizers

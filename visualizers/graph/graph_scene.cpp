#include "visualizers/graph/graph_scene.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace et::visualizers {

using inspector::DiagramBox;
using inspector::LayoutPoint;

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
constexpr double arrowRoom = 8;

QRectF rectOf(const inspector::LayoutBox& box) {
    return {box.x, box.y, box.width, box.height};
}

QPointF toPoint(const LayoutPoint& point) {
    return {point.x, point.y};
}

QRectF computeBounds(const std::vector<LayoutPoint>& points) {
    if (points.empty()) {
        return {};
    }
    QPointF min = toPoint(points.front());
    QPointF max = min;
    for (const LayoutPoint& each : points) {
        min = {std::min(min.x(), each.x), std::min(min.y(), each.y)};
        max = {std::max(max.x(), each.x), std::max(max.y(), each.y)};
    }
    return QRectF(min, max).adjusted(-arrowRoom, -arrowRoom, arrowRoom, arrowRoom);
}

/// A point of a curve segment, t from 0 to 1.
QPointF bezier(std::span<const LayoutPoint, 4> piece, double t) {
    const double s = 1 - t;
    return toPoint(piece[0]) * (s * s * s) + toPoint(piece[1]) * (3 * s * s * t) +
           toPoint(piece[2]) * (3 * s * t * t) + toPoint(piece[3]) * (t * t * t);
}

double distance(const QPointF& from, const QPointF& start, const QPointF& end) {
    const QPointF way = end - start;
    const double length = QPointF::dotProduct(way, way);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(from - start, way) / length, 0.0, 1.0) : 0;
    return QLineF(from, start + way * t).length();
}

double distance(const QPointF& from, const std::vector<LayoutPoint>& curve) {
    constexpr int steps = 12;
    double min = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3) {
        const std::span<const LayoutPoint, 4> piece(curve.data() + i, 4);
        for (int step = 0; step < steps; ++step) {
            min = std::min(min, distance(from, bezier(piece, step / double{steps}),
                                         bezier(piece, (step + 1) / double{steps})));
        }
    }
    return min;
}

}  // namespace

GraphScene::GraphScene(Parts all) : parts(std::move(all)), boxOfNode(parts.graph->nodes().size(), nowhere) {
    for (std::size_t i = 0; i < parts.diagram.boxes.size(); ++i) {
        boxRects.push_back(rectOf(parts.layout.nodes[i]));
        for (const core::GraphNodeId node : parts.diagram.boxes[i].nodes) {
            boxOfNode[node.value] = i;
        }
    }
    for (const inspector::LayoutBox& frame : parts.layout.groups) {
        frameRects.push_back(rectOf(frame));
    }
    for (const std::vector<LayoutPoint>& curve : parts.layout.edges) {
        edgeRects.push_back(computeBounds(curve));
    }
    connect();
}

void GraphScene::connect() {
    incoming.resize(boxRects.size());
    outgoing.resize(boxRects.size());
    for (std::size_t i = 0; i < parts.diagram.edges.size(); ++i) {
        outgoing[parts.diagram.edges[i].from].push_back(i);
        incoming[parts.diagram.edges[i].to].push_back(i);
    }
}

std::optional<std::size_t> GraphScene::boxAt(const QPointF& point) const {
    const auto found =
        std::ranges::find_if(boxRects, [&](const QRectF& rect) { return rect.contains(point); });
    return found == boxRects.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - boxRects.begin()));
}

std::optional<std::size_t> GraphScene::frameAt(const QPointF& point) const {
    // Inner frames come after the frames around them.
    for (std::size_t i = frameRects.size(); i-- > 0;) {
        if (frameRects[i].contains(point)) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> GraphScene::edgeAt(const QPointF& point, double near) const {
    std::optional<std::size_t> closest;
    double min = near;
    for (std::size_t i = 0; i < edgeRects.size(); ++i) {
        if (!edgeRects[i].contains(point)) {
            continue;
        }
        const double away = distance(point, parts.layout.edges[i]);
        if (away <= min) {
            min = away;
            closest = i;
        }
    }
    return closest;
}

std::optional<std::size_t> GraphScene::boxOf(core::GraphNodeId node) const {
    const std::size_t box = node.value < boxOfNode.size() ? boxOfNode[node.value] : nowhere;
    return box == nowhere ? std::nullopt : std::optional(box);
}

std::optional<std::size_t> GraphScene::findFoldedBox(core::GraphGroupId group) const {
    const auto found = std::ranges::find_if(parts.diagram.boxes, [&](const DiagramBox& box) {
        return box.kind == DiagramBox::Kind::Group && box.id == group.value;
    });
    return found == parts.diagram.boxes.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - parts.diagram.boxes.begin()));
}

std::optional<std::size_t> GraphScene::frameOf(core::GraphGroupId group) const {
    const auto found = std::ranges::find(parts.diagram.groups, group, &inspector::DiagramGroup::id);
    return found == parts.diagram.groups.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - parts.diagram.groups.begin()));
}

std::optional<std::size_t> GraphScene::walk(std::size_t box, Step step) const {
    if (step == Step::Previous || step == Step::Next) {
        return besides(box, step == Step::Next);
    }
    const bool up = step == Step::ToInput;
    const std::span<const std::size_t> edges = up ? edgesTo(box) : edgesFrom(box);
    // The nearest in the perpendicular direction, which is straight ahead.
    std::optional<std::size_t> best;
    double min = std::numeric_limits<double>::infinity();
    for (const std::size_t edge : edges) {
        const std::size_t other = up ? parts.diagram.edges[edge].from : parts.diagram.edges[edge].to;
        const QPointF way = boxRects[other].center() - boxRects[box].center();
        const double off = std::abs(parts.leftToRight ? way.y() : way.x());
        if (off < min) {
            min = off;
            best = other;
        }
    }
    return best;
}

std::optional<std::size_t> GraphScene::besides(std::size_t box, bool next) const {
    const auto across = [&](const QPointF& point) { return parts.leftToRight ? point.y() : point.x(); };
    const auto along = [&](const QPointF& point) { return parts.leftToRight ? point.x() : point.y(); };
    const QPointF here = boxRects[box].center();
    const double reach = (parts.leftToRight ? boxRects[box].width() : boxRects[box].height()) * 2;
    std::optional<std::size_t> best;
    double min = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < boxRects.size(); ++i) {
        const QPointF there = boxRects[i].center();
        const double off = next ? across(there) - across(here) : across(here) - across(there);
        const double away = std::abs(along(there) - along(here));
        if (i != box && off > 0 && away <= reach && off + away < min) {
            min = off + away;
            best = i;
        }
    }
    return best;
}

inspector::GraphView GraphScene::view(const inspector::BoxColours& colours) const {
    return {.graph = graph(),
            .diagram = parts.diagram,
            .labels = parts.labels,
            .colours = colours,
            .leftToRight = parts.leftToRight,
            .names = true};
}

std::vector<bool> GraphScene::boxesOf(const std::vector<bool>& nodes) const {
    std::vector<bool> boxes(boxRects.size());
    for (std::size_t i = 0; i < std::min(nodes.size(), boxOfNode.size()); ++i) {
        if (nodes[i] && boxOfNode[i] != nowhere) {
            boxes[boxOfNode[i]] = true;
        }
    }
    return boxes;
}

}  // namespace et::visualizers

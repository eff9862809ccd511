// What a canvas shows, to come back to it when the graph has been read again.
#include "visualizers/graph/graph_canvas.h"

#include <algorithm>

namespace et::visualizers {

using inspector::DiagramBox;

std::optional<GraphPlace> GraphCanvas::place() const {
    if (!shownScene) {
        return std::nullopt;
    }
    const core::ModelGraph& graph = shownScene->graph();
    const NodeNames names(graph);
    GraphPlace result;
    result.scale = window.scale();
    for (const core::GraphGroupId group : shownScene->diagram().open) {
        result.open.push_back(pathOf(graph, group));
    }
    if (const auto part = chosenPart()) {
        if (part->kind == DiagramBox::Kind::Group) {
            result.chosen = {.name = pathOf(graph, core::GraphGroupId(part->id)), .nth = 0, .group = true};
        } else if (part->kind == DiagramBox::Kind::Node) {
            result.chosen = names.nameOf(core::GraphNodeId(part->id));
        }
    }
    const QPointF middle = QRectF(rect()).center();
    const auto& boxes = shownScene->diagram().boxes;
    std::vector<std::pair<double, std::size_t>> near;  // from the middle, box
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!boxes[i].nodes.empty()) {
            near.emplace_back((window.toScreen(shownScene->boxRect(i).center()) - middle).manhattanLength(),
                              i);
        }
    }
    const std::size_t count = std::min(near.size(), GraphPlace::mostAnchors);
    std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t box = near[i].second;
        result.anchors.push_back({.node = names.nameOf(boxes[box].nodes.front()),
                                  .fromMiddle = window.toScreen(shownScene->boxRect(box).center()) - middle});
    }
    return result;
}

void GraphCanvas::showPlace(const GraphPlace& place) {
    if (!shownScene) {
        return;
    }
    const NodeNames names(shownScene->graph());
    const QPointF middle = QRectF(rect()).center();
    for (const GraphPlace::Anchor& anchor : place.anchors) {
        const auto node = names.find(anchor.node);
        if (const auto box = node ? shownScene->boxOf(*node) : std::nullopt) {
            window.zoom(place.scale / window.scale(), {});
            window.place(shownScene->boxRect(*box).center(), middle + anchor.fromMiddle);
            break;
        }
    }
    if (place.chosen && place.chosen->group) {
        if (const auto group = findGroup(shownScene->graph(), place.chosen->name)) {
            shownMarks.box = shownScene->foldedBoxOf(*group);
            shownMarks.frame = shownScene->frameOf(*group);
        }
    } else if (place.chosen) {
        const auto node = names.find(*place.chosen);
        shownMarks.box = node ? shownScene->boxOf(*node) : std::nullopt;
    }
    remarkAll();
}

}  // namespace et::visualizers

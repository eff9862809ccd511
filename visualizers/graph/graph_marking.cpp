#include "visualizers/graph/graph_marking.h"

#include <utility>

namespace et::visualizers {

using core::GraphGroupId;
using inspector::DiagramBox;

void GraphMarking::setScene(std::shared_ptr<const GraphScene> now) {
    const std::shared_ptr<const GraphScene> before = std::exchange(scene, std::move(now));
    const GraphMarks marked = std::exchange(shown, {});
    if (before && scene && before->sharedGraph() == scene->sharedGraph()) {
        keepChoice(*before, marked);
    } else {
        found.clear();
        traced.clear();
        related.clear();
        glowing.clear();
        noted.clear();
    }
    markBoxes();
}

/// Keeps a group selected after it is opened or folded, and a node in the box that now shows it.
void GraphMarking::keepChoice(const GraphScene& before, const GraphMarks& marked) {
    if (marked.frame) {
        chooseGroup(before.diagram().groups[*marked.frame].id);
    } else if (marked.box) {
        const DiagramBox& what = before.diagram().boxes[*marked.box];
        if (what.kind == DiagramBox::Kind::Group) {
            chooseGroup(GraphGroupId(what.id));
        } else if (!what.nodes.empty()) {
            shown.box = scene->boxOf(what.nodes.front());
        }
    }
}

void GraphMarking::markBoxes() {
    const auto flags = [this](const std::vector<bool>& nodes) {
        return nodes.empty() || !scene ? std::vector<bool>() : scene->boxesOf(nodes);
    };
    shown.found = flags(found);
    shown.traced = flags(traced);
    shown.related = flags(related);
    shown.glowing = flags(glowing);
    shown.noted = flags(noted);
}

void GraphMarking::setFound(std::vector<bool> nodes) {
    found = std::move(nodes);
    markBoxes();
}

void GraphMarking::setTraced(std::vector<bool> nodes) {
    traced = std::move(nodes);
    markBoxes();
}

void GraphMarking::setRelated(std::vector<bool> nodes) {
    related = std::move(nodes);
    markBoxes();
}

void GraphMarking::setNoted(std::vector<bool> nodes) {
    noted = std::move(nodes);
    markBoxes();
}

void GraphMarking::setGlowing(std::vector<bool> nodes) {
    glowing = std::move(nodes);
    shown.glowing = glowing.empty() || !scene ? std::vector<bool>() : scene->boxesOf(glowing);
}

void GraphMarking::chooseBox(std::optional<std::size_t> box) {
    shown.box = box;
    shown.frame.reset();
}

void GraphMarking::chooseFrame(std::optional<std::size_t> frame) {
    shown.frame = frame;
    shown.box.reset();
}

void GraphMarking::chooseGroup(GraphGroupId group) {
    shown.frame = scene->frameOf(group);
    shown.box = scene->findFoldedBox(group);
}

void GraphMarking::choosePart(const GraphViewState::Part& part, const NodeNames& names) {
    if (!part.group) {
        const auto node = names.find(part);
        shown.box = node ? scene->boxOf(*node) : std::nullopt;
    } else if (const auto group = findGroup(scene->graph(), part.name)) {
        chooseGroup(*group);
    }
}

std::optional<DiagramBox> GraphMarking::part() const {
    if (scene && shown.box) {
        return scene->diagram().boxes[*shown.box];
    }
    if (scene && shown.frame) {
        return inspector::boxOfGroup(scene->graph(), scene->diagram().groups[*shown.frame].id);
    }
    return std::nullopt;
}

}  // namespace et::visualizers

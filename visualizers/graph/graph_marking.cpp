#include "visualizers/graph/graph_marking.h"

#include <QStringList>

#include <cstdint>
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
        byNode = {};
        notes.clear();
    }
    for (const Highlight each :
         {&Highlights::related, &Highlights::glowing, &Highlights::found, &Highlights::traced,
          &Highlights::noted, &Highlights::current, &Highlights::breaking, &Highlights::passing}) {
        markBoxes(each);
    }
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

void GraphMarking::markBoxes(Highlight which) {
    const std::vector<bool>& nodes = byNode.*which;
    shown.*which = nodes.empty() || !scene ? std::vector<bool>() : scene->boxesOf(nodes);
}

bool GraphMarking::highlight(Highlight which, std::vector<bool> nodes) {
    if (nodes == byNode.*which) {
        return false;
    }
    byNode.*which = std::move(nodes);
    markBoxes(which);
    return true;
}

void GraphMarking::setNotes(std::vector<QString> texts) {
    notes = std::move(texts);
    std::vector<bool> noted;
    for (const QString& text : notes) {
        noted.push_back(!text.isEmpty());
    }
    highlight(&Highlights::noted, std::move(noted));
}

QString GraphMarking::notesTo(std::size_t box) const {
    QStringList texts;
    for (std::size_t i = 0; i < notes.size(); ++i) {
        if (!notes[i].isEmpty() && scene->boxOf(core::GraphNodeId(static_cast<std::uint32_t>(i))) == box) {
            texts.append(notes[i]);
        }
    }
    texts.removeDuplicates();  // several nodes of a box may share a note
    return texts.join(u'\n');
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

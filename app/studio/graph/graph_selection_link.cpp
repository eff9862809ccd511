#include "app/studio/graph/graph_selection_link.h"

#include "app/studio/graph/noted_nodes.h"
#include "app/studio/graph/selected_nodes.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace et::studio {

using visualizers::GraphCanvas;

GraphSelectionLink::GraphSelectionLink(GraphCanvas& shown, const PanelContext& context, QObject* parent)
    : QObject(parent),
      canvas(shown),
      opened(context.opened),
      selection(context.selection),
      notes(context.notes) {
    connect(&selection, &visualizers::Selection::currentChanged, this, &GraphSelectionLink::follow);
    connect(&notes, &visualizers::NoteModel::changed, this, &GraphSelectionLink::showNotes);
    connect(&canvas, &GraphCanvas::pointed, this, &GraphSelectionLink::point);
    connect(&selection, &visualizers::Selection::hoverChanged, this, [this] {
        canvas.highlight(&visualizers::Highlights::glowing, hovering.nodesOf(selection.hovered()));
    });
}

void GraphSelectionLink::setGraph(std::shared_ptr<const core::ModelGraph> of,
                                  const inspector::GraphChoice& choice) {
    graph = std::move(of);
    graphChoice = choice;
    hovering = HoverLink(*graph, graphChoice, opened.blocks());
}

void GraphSelectionLink::showNotes() {
    if (canvas.scene()) {
        canvas.setNotes(notedNodes(notes.notes(), *graph, graphChoice, opened.blocks(), hovering));
    }
}

/// Highlights the hovered box here and in the other panels.
void GraphSelectionLink::point(std::optional<std::size_t> box) {
    const auto* const over = canvas.scene() && box ? &canvas.scene()->diagram().boxes[*box] : nullptr;
    selection.setHovered(over == nullptr || over->nodes.empty() ? std::nullopt
                                                                : hovering.eventOf(over->nodes.front()));
}

void GraphSelectionLink::follow() {
    if (selecting || !canvas.scene()) {
        return;
    }
    const std::vector<bool> nodes = selectedNodes(*graph, graphChoice, selection);
    canvas.highlight(&visualizers::Highlights::related, nodes);
    const auto node = std::ranges::find(nodes, true);
    if (node == nodes.end()) {
        return;
    }
    const auto current = canvas.currentBox();
    if (current && canvas.marks().related[*current]) {
        return;  // already included
    }
    const auto box =
        canvas.scene()->boxOf(core::GraphNodeId(static_cast<std::uint32_t>(node - nodes.begin())));
    if (box) {
        canvas.showBox(*box);
        emit boxShown();
    }
}

void GraphSelectionLink::select() {
    if (canvas.scene() && canvas.currentBox()) {
        selecting = true;
        studio::select(selection, *graph, graphChoice, canvas.scene()->diagram().boxes[*canvas.currentBox()]);
        selecting = false;
        canvas.highlight(&visualizers::Highlights::related, selectedNodes(*graph, graphChoice, selection));
    }
}

}  // namespace et::studio

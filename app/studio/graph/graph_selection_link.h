#pragma once

#include "app/studio/graph/hover_link.h"
#include "app/studio/panel.h"
#include "inspector/graph/session_graphs.h"
#include "runtime/core/graph.h"

#include <QObject>

#include <cstddef>
#include <memory>
#include <optional>

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Links the boxes of a canvas with the selection, the hovered event and the notes that all panels share.
class GraphSelectionLink : public QObject {
    Q_OBJECT

  public:
    /// `shown` and everything in `context` must outlive this object.
    GraphSelectionLink(visualizers::GraphCanvas& shown, const PanelContext& context, QObject* parent);

    /// Call when another graph was read.
    void setGraph(std::shared_ptr<const core::ModelGraph> of, const inspector::GraphChoice& choice);
    /// Call when a scene of the graph is shown.
    void showNotes();
    /// Shows the shared selection on the canvas.
    void follow();
    /// Selects the current box of the canvas in the other panels.
    void select();

  signals:
    /// Another panel has selected this box.
    void boxShown();

  private:
    void point(std::optional<std::size_t> box);

    visualizers::GraphCanvas& canvas;
    const visualizers::OpenSession& opened;
    visualizers::Selection& selection;
    const visualizers::NoteModel& notes;
    std::shared_ptr<const core::ModelGraph> graph;  ///< of the scene; null until read
    inspector::GraphChoice graphChoice;
    HoverLink hovering;
    bool selecting = false;  ///< this object is changing the selection
};

}  // namespace et::studio

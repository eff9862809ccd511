#pragma once

#include "app/studio/panel.h"
#include "inspector/graph/session_graphs.h"
#include "runtime/core/graph.h"

#include <QObject>

#include <memory>

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Marks the debugger's current instruction and the breakpoints in a graph.
class GraphDebugMarks : public QObject {
    Q_OBJECT

  public:
    /// `shown` and everything in `context` must outlive this object.
    GraphDebugMarks(visualizers::GraphCanvas& shown, const PanelContext& context, QObject* parent);

    /// Call when another graph was read.
    void setGraph(std::shared_ptr<const core::ModelGraph> of, const inspector::GraphChoice& choice);
    /// Call when a scene of the graph is shown.
    void show();

  private:
    void showPoint();
    void showBreakpoints();

    visualizers::GraphCanvas& canvas;
    const visualizers::DebugState& debugger;
    std::shared_ptr<const core::ModelGraph> graph;  ///< null until read
    inspector::GraphChoice graphChoice;
};

}  // namespace et::studio

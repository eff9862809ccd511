#pragma once

#include "inspector/graph/graph_walks.h"
#include "runtime/core/graph.h"

#include <QObject>

#include <vector>

class QAction;
class QSpinBox;
class QToolBar;

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Highlights the predecessors or successors of a selected box, or the paths between two boxes, by dimming
/// the rest.
class GraphTracing : public QObject {
    Q_OBJECT

  public:
    /// Adds its tools to `tools`, and its actions with their shortcuts to `canvas`.
    GraphTracing(visualizers::GraphCanvas& shown, QToolBar& tools, QObject* parent);

    /// Call when another box was selected.
    void follow();
    /// Call when another graph is shown.
    void forget();

  private:
    void trace(inspector::WalkTo direction);
    void inputs();
    void outputs();
    void between();
    void clear();
    QAction* add(const QString& text, const QString& tip, const QKeySequence& key,
                 void (GraphTracing::*slot)());
    [[nodiscard]] std::vector<core::GraphNodeId> chosenNodes() const;

    visualizers::GraphCanvas& canvas;
    QSpinBox* steps;
    std::vector<core::GraphNodeId> last;    ///< chosen now
    std::vector<core::GraphNodeId> before;  ///< the previously selected box
};

}  // namespace et::studio

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

/// Leaves bright what a chosen box follows from, what follows from it, or the ways between two boxes.
class GraphTracing : public QObject {
    Q_OBJECT

  public:
    /// Puts its tools into `tools` and its actions, whose keys work there, onto `canvas`.
    GraphTracing(visualizers::GraphCanvas& shown, QToolBar& tools, QObject* parent);

    /// Another box is chosen.
    void follow();
    /// Another graph is shown.
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
    std::vector<core::GraphNodeId> before;  ///< chosen before that
};

}  // namespace et::studio

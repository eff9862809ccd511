#pragma once

#include "inspector/graph/wrapped_layout.h"

#include <QObject>
#include <QSize>
#include <QTimer>

class QAction;
class QWidget;

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Fits the layout of a graph to its pane: chooses the direction once by the shape of the canvas, unless the
/// user has chosen it, and reports when the pane needs another layout.
class GraphFit : public QObject {
    Q_OBJECT

  public:
    /// `shown` is the canvas of `pane`; `toRight` is the checkable action for layouts from left to right. All
    /// must outlive this object.
    GraphFit(const visualizers::GraphCanvas& shown, QAction& toRight, const QWidget& pane, QObject* parent);

    [[nodiscard]] bool isLeftToRight() const;
    /// Call before the first layout of a graph, to choose its direction.
    void adaptDirection();
    void setTurnedByUser(bool turned) { turnedByUser = turned; }
    /// Restores a direction that the user has chosen; false: none.
    void setDirection(bool leftToRight);
    [[nodiscard]] bool isTurnedByUser() const { return turnedByUser; }

    /// Returns the size for a layout that starts now.
    [[nodiscard]] inspector::LayoutPane takePane();
    /// Call when the pane was resized.
    void restart() { filling.start(); }
    /// True if the size is changing.
    [[nodiscard]] bool isWaiting() const { return filling.isActive(); }

  signals:
    /// The pane has another size than that of the last layout, and the user has not moved the view.
    void layoutWanted();

  private:
    void check();
    [[nodiscard]] QSize paneSize() const;

    const visualizers::GraphCanvas& canvas;
    QAction& direction;
    const QWidget& panel;
    QTimer filling;
    QSize laidOutFor;           ///< paneSize() of the last layout
    bool turnedByUser = false;  ///< the user has chosen the direction
};

}  // namespace et::studio

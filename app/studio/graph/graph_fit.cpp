#include "app/studio/graph/graph_fit.h"

#include "visualizers/graph/graph_canvas.h"

#include <QAction>
#include <QWidget>

#include <chrono>
#include <cstdlib>

namespace et::studio {

namespace {

/// Aspect ratio above which a canvas is filled from left to right, unless the user has chosen the direction.
constexpr double widePart = 1.6;
constexpr double paneEdge = 18;  // margin in pixels around fitted content
/// Long enough for splitters and docks to reach their final sizes.
constexpr auto fillingTime = std::chrono::milliseconds(120);

/// True if the size changed too little for another layout.
bool isMuchTheSame(const QSize& now, const QSize& before) {
    constexpr int part = 10;  // tolerance of one tenth
    return std::abs(now.width() - before.width()) * part <= before.width() &&
           std::abs(now.height() - before.height()) * part <= before.height();
}

}  // namespace

GraphFit::GraphFit(const visualizers::GraphCanvas& shown, QAction& toRight, const QWidget& pane,
                   QObject* parent)
    : QObject(parent), canvas(shown), direction(toRight), panel(pane) {
    filling.setSingleShot(true);
    filling.setInterval(fillingTime);
    connect(&canvas, &visualizers::GraphCanvas::resized, &filling, qOverload<>(&QTimer::start));
    connect(&filling, &QTimer::timeout, this, &GraphFit::check);
}

bool GraphFit::isLeftToRight() const {
    return direction.isChecked();
}

void GraphFit::adaptDirection() {
    if (!turnedByUser) {
        direction.setChecked(canvas.width() > widePart * canvas.height());
    }
}

void GraphFit::setDirection(bool leftToRight) {
    direction.setChecked(leftToRight);
    turnedByUser = leftToRight;
}

/// The width is the canvas's; its height would change with each line of the status text, and layouts add such
/// a line.
QSize GraphFit::paneSize() const {
    return {canvas.width(), panel.height()};
}

inspector::LayoutPane GraphFit::takePane() {
    laidOutFor = paneSize();
    return {.width = canvas.width() - 2 * paneEdge, .height = canvas.height() - 2 * paneEdge};
}

void GraphFit::check() {
    if (panel.isVisible() && canvas.scene() && !canvas.wasMoved() && !isMuchTheSame(paneSize(), laidOutFor)) {
        emit layoutWanted();
    }
}

}  // namespace et::studio

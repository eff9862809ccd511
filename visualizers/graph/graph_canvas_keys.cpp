// What keys do on a canvas: its actions.
#include "visualizers/graph/graph_canvas.h"

#include <QAction>
#include <QCursor>

#include <array>

namespace et::visualizers {

using core::GraphGroupId;
using inspector::DiagramBox;

namespace {

constexpr double zoomStep = 1.25;
constexpr double panPart = 0.15;  // of the widget

}  // namespace

void GraphCanvas::createActions() {
    struct Keyed {
        QString text;
        QKeySequence key;
        void (GraphCanvas::*slot)();
    };
    const std::array keyed{
        Keyed{tr("Zoom &In"), Qt::Key_Plus, &GraphCanvas::zoomIn},
        Keyed{tr("Zoom &Out"), Qt::Key_Minus, &GraphCanvas::zoomOut},
        Keyed{tr("Pan &Up"), Qt::Key_W, &GraphCanvas::panUp},
        Keyed{tr("Pan &Left"), Qt::Key_A, &GraphCanvas::panLeft},
        Keyed{tr("Pan &Down"), Qt::Key_S, &GraphCanvas::panDown},
        Keyed{tr("Pan &Right"), Qt::Key_D, &GraphCanvas::panRight},
        Keyed{tr("&Fit All"), Qt::Key_Space, &GraphCanvas::fitAll},
        Keyed{tr("Fit What Is &Chosen"), Qt::Key_F, &GraphCanvas::fitChosen},
        Keyed{tr("Go to an Inp&ut"), Qt::Key_Up, &GraphCanvas::toInput},
        Keyed{tr("Go to an Ou&tput"), Qt::Key_Down, &GraphCanvas::toOutput},
        Keyed{tr("Go to the &Previous Beside"), Qt::Key_Left, &GraphCanvas::toPrevious},
        Keyed{tr("Go to the &Next Beside"), Qt::Key_Right, &GraphCanvas::toNext},
        Keyed{tr("Open or Fold the &Group"), Qt::Key_Return, &GraphCanvas::toggleChosen},
        Keyed{tr("Fold the Group &Around"), Qt::Key_Backspace, &GraphCanvas::foldAround},
    };
    for (const Keyed& each : keyed) {
        auto* const action = new QAction(each.text, this);
        action->setShortcut(each.key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, each.slot);
        addAction(action);
    }
}

QPointF GraphCanvas::cursor() const {
    const QPointF at = mapFromGlobal(QCursor::pos());
    return underMouse() && rect().contains(at.toPoint()) ? at : QRectF(rect()).center();
}

void GraphCanvas::zoom(double factor) {
    window.zoom(factor, cursor());
    update();
}

void GraphCanvas::pan(double right, double down) {
    window.pan({right * panPart * width(), down * panPart * height()});
    update();
}

void GraphCanvas::zoomIn() {
    zoom(zoomStep);
}

void GraphCanvas::zoomOut() {
    zoom(1 / zoomStep);
}

void GraphCanvas::panLeft() {
    pan(-1, 0);
}

void GraphCanvas::panRight() {
    pan(1, 0);
}

void GraphCanvas::panUp() {
    pan(0, -1);
}

void GraphCanvas::panDown() {
    pan(0, 1);
}

void GraphCanvas::fitAll() {
    window.fit();
    update();
}

void GraphCanvas::fitChosen() {
    if (shownMarks.box) {
        fitRect(shownScene->boxRect(*shownMarks.box));
    } else if (shownMarks.frame) {
        fitRect(shownScene->frameRect(*shownMarks.frame));
    }
}

void GraphCanvas::step(GraphScene::Step step) {
    if (!shownScene || shownScene->diagram().boxes.empty()) {
        return;
    }
    if (!shownMarks.box) {
        chooseBox(0);
    } else if (const auto next = shownScene->walk(*shownMarks.box, step)) {
        chooseBox(next);
    }
}

void GraphCanvas::toInput() {
    step(GraphScene::Step::ToInput);
}

void GraphCanvas::toOutput() {
    step(GraphScene::Step::ToOutput);
}

void GraphCanvas::toPrevious() {
    step(GraphScene::Step::Previous);
}

void GraphCanvas::toNext() {
    step(GraphScene::Step::Next);
}

void GraphCanvas::toggleChosen() {
    if (shownMarks.frame) {
        emit foldRequested(shownScene->diagram().groups[*shownMarks.frame].id);
    } else if (shownMarks.box) {
        const DiagramBox& box = shownScene->diagram().boxes[*shownMarks.box];
        if (box.kind == DiagramBox::Kind::Group) {
            emit openRequested(GraphGroupId(box.id));
        }
    }
}

void GraphCanvas::foldAround() {
    if (shownMarks.frame) {
        emit foldRequested(shownScene->diagram().groups[*shownMarks.frame].id);
    } else if (shownMarks.box) {
        if (const auto& parent = shownScene->diagram().boxes[*shownMarks.box].parent) {
            emit foldRequested(shownScene->diagram().groups[*parent].id);
        }
    }
}

}  // namespace et::visualizers

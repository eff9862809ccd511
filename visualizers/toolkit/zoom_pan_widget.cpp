#include "visualizers/toolkit/zoom_pan_widget.h"

#include "visualizers/toolkit/keyed_action.h"

#include <QCursor>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double wheelNotch = 120;
constexpr int dragDistance = 4;  // minimum distance in pixels of a drag

QAction& addZoomKey(QWidget& owner, const QString& text, const QKeySequence& key, std::function<void()> act) {
    return *keyedAction(owner, text, key, std::move(act), KeyScope::Widget);
}

}  // namespace

ZoomPanWidget::ZoomPanWidget(const ZoomPanOptions& can, QWidget* parent) : QWidget(parent), traits(can) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setLayoutDirection(Qt::LeftToRight);  // time, bytes and numbers increase to the right in every language
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    createZoomActions();
    createPanActions();
    createChoiceActions();
}

void ZoomPanWidget::createZoomActions() {
    QAction& in = addZoomKey(*this, QStringLiteral("Zoom &In"), Qt::Key_W, [this] { zoomIn(); });
    alsoOn(in, Qt::Key_Plus);
    alsoOn(in, Qt::Key_Equal);
    QAction& out = addZoomKey(*this, QStringLiteral("Zoom &Out"), Qt::Key_S, [this] { zoomOut(); });
    alsoOn(out, Qt::Key_Minus);
    if (traits.zoomsUp) {
        addZoomKey(*this, QStringLiteral("Zoom In &Vertically"), Qt::SHIFT | Qt::Key_W,
                   [this] { zoom(zoomStep, Axis::Up, zoomCentre()); });
        addZoomKey(*this, QStringLiteral("Zoom Out V&ertically"), Qt::SHIFT | Qt::Key_S,
                   [this] { zoom(1 / zoomStep, Axis::Up, zoomCentre()); });
    }
}

void ZoomPanWidget::createPanActions() {
    addZoomKey(*this, QStringLiteral("Pan &Left"), Qt::Key_A, [this] { panBy(-panPart, 0); });
    addZoomKey(*this, QStringLiteral("Pan &Right"), Qt::Key_D, [this] { panBy(panPart, 0); });
    if (traits.upDown) {
        addZoomKey(*this, QStringLiteral("Pan &Up"), Qt::CTRL | Qt::Key_Up, [this] { panBy(0, -panPart); });
        addZoomKey(*this, QStringLiteral("Pan &Down"), Qt::CTRL | Qt::Key_Down,
                   [this] { panBy(0, panPart); });
    }
}

void ZoomPanWidget::createChoiceActions() {
    addZoomKey(*this, QStringLiteral("&Fit All"), Qt::Key_Space, [this] { fitAll(); });
    addZoomKey(*this, QStringLiteral("Fit &Selected %1").arg(traits.itemName), Qt::Key_F,
               [this] { fitChosen(); });
    if (!traits.stepName.isEmpty()) {
        QAction& next = addZoomKey(*this, QStringLiteral("&Next %1").arg(traits.stepName), Qt::Key_Period,
                                   [this] { selectAdjacent(1); });
        alsoOn(next, Qt::Key_Right);
        QAction& previous = addZoomKey(*this, QStringLiteral("&Previous %1").arg(traits.stepName),
                                       Qt::Key_Comma, [this] { selectAdjacent(-1); });
        alsoOn(previous, Qt::Key_Left);
    }
}

void ZoomPanWidget::panBy(double right, double down) {
    const QSizeF size = pictureArea().size();
    pan({right * size.width(), down * size.height()});
}

QPointF ZoomPanWidget::zoomCentre() const {
    const QPointF at = mapFromGlobal(QPointF(QCursor::pos()));
    return underMouse() && pictureArea().contains(at) ? at : stillPoint();
}

bool ZoomPanWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::Leave) {
        hover(std::nullopt);
    }
    return QWidget::event(event);
}

void ZoomPanWidget::wheelEvent(QWheelEvent* event) {
    const QPointF notches = QPointF(event->angleDelta()) / wheelNotch;
    // Some platforms report horizontal scrolling with Alt or Shift.
    const double turned = notches.y() != 0 ? notches.y() : notches.x();
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        panBy(-turned * panPart, 0);
    } else if (traits.zoomsUp && event->modifiers().testFlag(Qt::ControlModifier)) {
        zoom(std::pow(zoomStep, turned), Axis::Up, event->position());
    } else if (notches.y() != 0) {
        zoom(std::pow(zoomStep, notches.y()), Axis::Along, event->position());
    } else {
        panBy(-notches.x() * panPart, 0);
    }
    event->accept();
}

void ZoomPanWidget::mousePressEvent(QMouseEvent* event) {
    dragFrom = event->position();
    gesture = event->button() == Qt::LeftButton && holdAt(dragFrom) ? Gesture::Following : Gesture::Pressed;
}

void ZoomPanWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (gesture == Gesture::Pressed && (at - dragFrom).manhattanLength() >= dragDistance) {
        const bool marking = traits.marks && event->buttons().testFlag(Qt::LeftButton) &&
                             event->modifiers().testFlag(Qt::ShiftModifier);
        gesture = marking ? Gesture::Marking : Gesture::Panning;
        setCursor(marking ? Qt::SizeHorCursor : Qt::ClosedHandCursor);
    }
    switch (gesture) {
        case Gesture::None:
            hover(at);
            return;
        case Gesture::Following:
            follow(at);
            return;
        case Gesture::Marking:
            mark(std::min(dragFrom.x(), at.x()), std::max(dragFrom.x(), at.x()));
            return;
        case Gesture::Panning:
            pan(dragFrom - at);
            dragFrom = at;
            return;
        case Gesture::Pressed:
            return;
    }
}

void ZoomPanWidget::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = std::exchange(gesture, Gesture::None) == Gesture::Pressed;
    unsetCursor();
    if (clicked && event->button() == Qt::LeftButton) {
        click(event->position());
    }
}

void ZoomPanWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !doubleClick(event->position())) {
        mousePressEvent(event);
    }
}

}  // namespace et::visualizers

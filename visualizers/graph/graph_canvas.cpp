#include "visualizers/graph/graph_canvas.h"

#include "visualizers/toolkit/text.h"

#include <QHelpEvent>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

using core::GraphGroupId;
using inspector::DiagramBox;

namespace {

constexpr double wheelStep = 1.25;
constexpr double wheelNotch = 120;
constexpr int dragDistance = 4;      // pixels that are no click any more
constexpr double nearLine = 5;       // pixels
constexpr double leastStart = 0.45;  // scale at which words are read
constexpr double mostStart = 0.85;
constexpr double startPart = 0.9;  // of the widget, for a graph that is as wide
constexpr double startRoom = 90;   // pixels to the first box
constexpr double readable = 1;     // scale at which what was looked for is shown

}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    createActions();
}

void GraphCanvas::setScene(std::shared_ptr<const GraphScene> shown, inspector::BoxColours fills) {
    const std::shared_ptr<const GraphScene> before = std::exchange(shownScene, std::move(shown));
    const PlaneView old = window;
    const GraphMarks marked = std::exchange(shownMarks, {});
    shownColours = std::move(fills);
    window.setContent(shownScene ? shownScene->bounds() : QRectF());
    if (before && shownScene && before->sharedGraph() == shownScene->sharedGraph()) {
        keepChoice(*before, marked);
        keepPlace(*before, old);
    } else {
        foundNodes.clear();
        tracedNodes.clear();
        relatedNodes.clear();
        fitStart();
    }
    remarkAll();
}

/// A group that has been opened or folded stays chosen, and a node in whatever shows it now.
void GraphCanvas::keepChoice(const GraphScene& before, const GraphMarks& marked) {
    std::optional<GraphGroupId> group;
    if (marked.frame) {
        group = before.diagram().groups[*marked.frame].id;
    } else if (marked.box) {
        const DiagramBox& what = before.diagram().boxes[*marked.box];
        if (what.kind == DiagramBox::Kind::Group) {
            group = GraphGroupId(what.id);
        } else if (!what.nodes.empty()) {
            shownMarks.box = shownScene->boxOf(what.nodes.front());
        }
    }
    if (group) {
        shownMarks.frame = shownScene->frameOf(*group);
        shownMarks.box = shownScene->foldedBoxOf(*group);
    }
}

/// What was chosen, or else in the middle, stays where it was on screen, in the same size.
void GraphCanvas::keepPlace(const GraphScene& before, const PlaneView& old) {
    const QPointF middle = QRectF(rect()).center();
    std::optional<std::pair<QPointF, QPointF>> anchor;  // in the new plane, on the screen
    double least = 0;
    for (std::size_t i = 0; i < before.diagram().boxes.size(); ++i) {
        const DiagramBox& box = before.diagram().boxes[i];
        const auto now = box.nodes.empty() ? std::nullopt : shownScene->boxOf(box.nodes.front());
        const QPointF place = old.toScreen(before.boxRect(i).center());
        const double away = shownMarks.box && now == shownMarks.box ? -1 : (place - middle).manhattanLength();
        if (now && (!anchor || away < least)) {
            least = away;
            anchor = std::pair(shownScene->boxRect(*now).center(), place);
        }
    }
    if (anchor) {
        window.zoom(old.scale() / window.scale(), middle);
        window.place(anchor->first, anchor->second);
    }
    if (shownMarks.frame) {
        window.reveal(shownScene->frameRect(*shownMarks.frame));
    }
}

/// All, or the start of what would be too small to read.
void GraphCanvas::fitStart() {
    if (!shownScene || shownScene->diagram().boxes.empty() || window.scale() >= leastStart) {
        return;
    }
    const QSizeF all = window.content().size();
    const double across = shownScene->leftToRight() ? height() / all.height() : width() / all.width();
    window.zoom(std::clamp(across * startPart, leastStart, mostStart) / window.scale(), {});
    const QPointF first = shownScene->boxRect(0).center();
    const QPointF place =
        shownScene->leftToRight() ? QPointF(startRoom, height() / 2.0) : QPointF(width() / 2.0, startRoom);
    window.place(first, place);
}

std::optional<DiagramBox> GraphCanvas::chosenPart() const {
    if (shownScene && shownMarks.box) {
        return shownScene->diagram().boxes[*shownMarks.box];
    }
    if (shownScene && shownMarks.frame) {
        return inspector::boxOfGroup(shownScene->graph(), shownScene->diagram().groups[*shownMarks.frame].id);
    }
    return std::nullopt;
}

void GraphCanvas::setColours(inspector::BoxColours fills) {
    shownColours = std::move(fills);
    map.forget();
    update();
}

void GraphCanvas::remarkAll() {
    const auto flags = [this](const std::vector<bool>& nodes) {
        return nodes.empty() || !shownScene ? std::vector<bool>() : shownScene->boxesOf(nodes);
    };
    shownMarks.found = flags(foundNodes);
    shownMarks.traced = flags(tracedNodes);
    shownMarks.related = flags(relatedNodes);
    map.forget();
    update();
}

void GraphCanvas::setFound(std::vector<bool> nodes) {
    foundNodes = std::move(nodes);
    remarkAll();
}

void GraphCanvas::setTraced(std::vector<bool> nodes) {
    tracedNodes = std::move(nodes);
    remarkAll();
}

void GraphCanvas::setRelated(std::vector<bool> nodes) {
    relatedNodes = std::move(nodes);
    remarkAll();
}

void GraphCanvas::setHint(const QString& text) {
    hint = text;
    update();
}

void GraphCanvas::showBox(std::size_t box) {
    shownMarks.box = box;
    shownMarks.frame.reset();
    window.reveal(shownScene->boxRect(box));
    update();
}

void GraphCanvas::showGroup(GraphGroupId group) {
    if (const auto frame = shownScene ? shownScene->frameOf(group) : std::nullopt) {
        shownMarks.frame = frame;
        shownMarks.box.reset();
        fitRect(shownScene->frameRect(*frame));
    } else if (const auto box = shownScene ? shownScene->foldedBoxOf(group) : std::nullopt) {
        showBox(*box);
    }
}

void GraphCanvas::fitRect(const QRectF& part) {
    window.show(part, readable);
    update();
}

void GraphCanvas::chooseBox(std::optional<std::size_t> box) {
    shownMarks.box = box;
    shownMarks.frame.reset();
    if (box) {
        window.reveal(shownScene->boxRect(*box));
    }
    update();
    emit chosen();
}

void GraphCanvas::chooseFrame(std::size_t frame) {
    shownMarks.frame = frame;
    shownMarks.box.reset();
    update();
    emit chosen();
}

void GraphCanvas::chooseAt(const QPointF& position) {
    const QPointF point = window.toPlane(position);
    const auto box = shownScene->boxAt(point);
    const auto frame = box ? std::nullopt : shownScene->frameAt(point);
    if (frame) {
        chooseFrame(*frame);
    } else {
        chooseBox(box);
    }
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const GraphStyle style = GraphStyle::of(palette(), font());
    painter.fillRect(rect(), style.ground);
    if (!shownScene) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, hint);
        return;
    }
    const GraphPainter scenePainter(*shownScene, shownColours, shownMarks, style, window);
    scenePainter.paint(painter);
    map.paint(painter, size(), scenePainter, window, style);
}

QRectF GraphCanvas::mapRect() const {
    return shownScene ? GraphMap::place(size(), window) : QRectF();
}

QImage GraphCanvas::picture(double scale, int mostPixels) const {
    const QSizeF size = window.content().size() + QSizeF(32, 32);
    const double fits = mostPixels / std::max(size.width(), size.height());
    const double used = std::min(scale, fits);
    PlaneView whole;
    whole.setSize(size * used);
    whole.setContent(window.content());
    whole.zoom(used / whole.scale(), {});
    whole.centre(window.content().center());
    const GraphStyle style = GraphStyle::of(palette(), font());
    QImage image((size * used).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(style.ground);
    QPainter painter(&image);
    GraphPainter(*shownScene, shownColours, shownMarks, style, whole).paint(painter);
    return image;
}

void GraphCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        map.forget();
        update();
    }
    QWidget::changeEvent(event);
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
    // What has been fitted to a widget without a size yet is fitted again.
    const bool first = window.visible().contains(window.content());
    window.setSize(size());
    if (first) {
        window.fit();
    }
}

QString GraphCanvas::tipAt(const QPointF& position) const {
    if (!shownScene) {
        return {};
    }
    const QPointF point = window.toPlane(position);
    if (const auto box = shownScene->boxAt(point)) {
        const std::string& note = shownColours.notes[*box];
        const QString text = toQStringLines(shownScene->labels()[*box].tooltip);
        return note.empty() ? text : text + QLatin1Char('\n') + toQStringLines(note);
    }
    if (const auto edge = shownScene->edgeAt(point, nearLine / window.scale())) {
        return toQStringLines(
            inspector::edgeTooltip(shownScene->graph(), shownScene->diagram().edges[*edge]));
    }
    const auto frame = shownScene->frameAt(point);
    if (!frame) {
        return {};
    }
    const core::GraphGroup& group = shownScene->graph().group(shownScene->diagram().groups[*frame].id);
    return toQStringLines(group.kind) + QLatin1Char(' ') + toQString(inspector::groupName(group));
}

bool GraphCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    const QPointF notches = QPointF(event->angleDelta()) / wheelNotch;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        pan(notches.y() + notches.x(), 0);
    } else {
        window.zoom(std::pow(wheelStep, notches.y()), event->position());
    }
    event->accept();
    update();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    pressed = event->position();
    dragging = false;
    onMap = event->button() == Qt::LeftButton && mapRect().contains(event->position());
    if (onMap) {
        window.centre(GraphMap::pointAt(event->position(), size(), window));
        update();
    }
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed || !shownScene) {
        return;
    }
    const QPointF way = event->position() - *pressed;
    if (onMap) {
        window.centre(GraphMap::pointAt(event->position(), size(), window));
        update();
    } else if (dragging || way.manhattanLength() >= dragDistance) {
        dragging = true;
        setCursor(Qt::ClosedHandCursor);
        window.pan(-way);
        pressed = event->position();
        update();
    }
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (pressed && !dragging && !onMap && shownScene) {
        chooseAt(event->position());
    }
    pressed.reset();
    dragging = false;
    onMap = false;
    unsetCursor();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (shownScene && !mapRect().contains(event->position())) {
        chooseAt(event->position());
        toggleChosen();
    }
}

}  // namespace et::visualizers

#include "visualizers/graph/graph_canvas.h"

#include "visualizers/graph/graph_tip.h"
#include "visualizers/graph/graph_viewpoint.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QEvent>
#include <QPainter>
#include <QStringList>

#include <functional>
#include <utility>

namespace et::visualizers {

using core::GraphGroupId;
using inspector::DiagramBox;

namespace {

constexpr double nearLine = 5;  // pixels
constexpr double readable = 1;  // scale at which a search result is shown
constexpr int hintMargin = 20;

}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : ZoomPanWidget({.upDown = true, .itemName = QStringLiteral("Box")}, parent) {
    setAccessibleName(QStringLiteral("Graph"));
    createActions();
}

void GraphCanvas::createActions() {
    const auto add = [this](const QString& text, Qt::Key key, std::function<void()> act) {
        keyedAction(*this, text, key, std::move(act), KeyScope::Widget);
    };
    add(QStringLiteral("Go to an Inpu&t"), Qt::Key_Up, [this] { walk(GraphScene::Step::ToInput); });
    add(QStringLiteral("Go to an Output"), Qt::Key_Down, [this] { walk(GraphScene::Step::ToOutput); });
    add(QStringLiteral("Go to the Previous &Box"), Qt::Key_Left,
        [this] { walk(GraphScene::Step::Previous); });
    add(QStringLiteral("Go to the &Next Box"), Qt::Key_Right, [this] { walk(GraphScene::Step::Next); });
    add(QStringLiteral("Open or Fold the &Group"), Qt::Key_Return, [this] { toggleChosen(); });
    add(QStringLiteral("Fold the &Enclosing Group"), Qt::Key_Backspace, [this] { foldAround(); });
}

void GraphCanvas::setScene(std::shared_ptr<const GraphScene> shown, inspector::BoxColours fills) {
    const std::shared_ptr<const GraphScene> before = std::exchange(shownScene, std::move(shown));
    const PlaneView old = window;
    shownColours = std::move(fills);
    marking.setScene(shownScene);
    window.setContent(shownScene ? shownScene->bounds() : QRectF());
    const bool sameGraph = before && shownScene && before->sharedGraph() == shownScene->sharedGraph();
    if (sameGraph && (wasMoved() || before->diagram().open != shownScene->diagram().open)) {
        showing = Showing::Place;
        keepView(window, *shownScene, marks(), old, *before, size());
    } else if (shownScene) {
        showing = sameGraph ? showing : Showing::Start;
        showAgain();
    }
    marksChanged();
}

void GraphCanvas::setColours(inspector::BoxColours fills) {
    shownColours = std::move(fills);
    marksChanged();
}

void GraphCanvas::marksChanged() {
    map.forget();
    update();
}

void GraphCanvas::highlight(Highlight which, std::vector<bool> nodes) {
    if (marking.highlight(which, std::move(nodes))) {
        if (which == &Highlights::traced) {
            map.forget();  // the map shows no other highlights
        }
        update();
    }
}

void GraphCanvas::setNotes(std::vector<QString> texts) {
    marking.setNotes(std::move(texts));
    update();
}

void GraphCanvas::setHint(const QString& text) {
    hint = text;
    update();
}

std::optional<GraphViewState> GraphCanvas::place() const {
    return shownScene ? std::optional(placeOf(*shownScene, window, marking, size())) : std::nullopt;
}

void GraphCanvas::showPlace(const GraphViewState& place) {
    if (shownScene) {
        showing = Showing::Place;
        visualizers::showPlace(place, *shownScene, window, marking, size());
        marksChanged();
    }
}

void GraphCanvas::showBox(std::size_t box) {
    marking.chooseBox(box);
    window.reveal(shownScene->boxRect(box));
    update();
}

void GraphCanvas::showGroup(GraphGroupId group) {
    if (const auto frame = shownScene ? shownScene->frameOf(group) : std::nullopt) {
        marking.chooseFrame(frame);
        fitRect(shownScene->frameRect(*frame));
    } else if (const auto box = shownScene ? shownScene->findFoldedBox(group) : std::nullopt) {
        showBox(*box);
    }
}

void GraphCanvas::fitRect(const QRectF& part) {
    window.show(part, readable);
    showing = Showing::Place;
    update();
}

void GraphCanvas::chooseBox(std::optional<std::size_t> box) {
    marking.chooseBox(box);
    if (box) {
        window.reveal(shownScene->boxRect(*box));
    }
    update();
    emit chosen();
    speakValue(*this);
}

void GraphCanvas::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    const GraphStyle style = GraphStyle::of(palette(), font());
    painter.fillRect(rect(), style.ground);
    if (!shownScene) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(hintMargin, hintMargin, -hintMargin, -hintMargin),
                         Qt::AlignCenter | Qt::TextWordWrap, hint);
        return;
    }
    const GraphPainter scenePainter(*shownScene, shownColours, marks(), style, window);
    scenePainter.paint(painter);
    map.paint(painter, size(), scenePainter, window, style);
}

QRectF GraphCanvas::mapRect() const {
    return shownScene ? GraphMap::place(size(), window) : QRectF();
}

void GraphCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        marksChanged();
    }
    ZoomPanWidget::changeEvent(event);
}

void GraphCanvas::resizeEvent(QResizeEvent*) {
    window.setSize(size());
    if (shownScene && !wasMoved()) {
        showAgain();
    }
    emit resized();
}

/// Shows the whole graph or its start, including the selection.
void GraphCanvas::showAgain() {
    window.fit();
    if (showing == Showing::Start) {
        showStart(window, *shownScene, size());
    }
    if (currentBox()) {
        window.reveal(shownScene->boxRect(*currentBox()));
    }
}

void GraphCanvas::hover(std::optional<QPointF> at) {
    const auto box = shownScene && at ? shownScene->boxAt(window.toPlane(*at)) : std::nullopt;
    if (std::exchange(below, box) != box) {
        emit pointed(box);
    }
}

QString GraphCanvas::spokenValue() const {
    const auto box = currentBox();
    return shownScene && box ? graphTip(*shownScene, shownColours, shownScene->boxRect(*box).center(), 0)
                             : QString();
}

QString GraphCanvas::tipAt(const QPointF& at) const {
    if (!shownScene) {
        return {};
    }
    const QString tip = graphTip(*shownScene, shownColours, window.toPlane(at), nearLine / window.scale());
    const auto box = shownScene->boxAt(window.toPlane(at));
    return box ? QStringList{tip, marking.notesTo(*box)}.join(u'\n').trimmed() : tip;
}

void GraphCanvas::zoom(double factor, Axis, const QPointF& at) {
    window.zoom(1 / factor, at);
    showing = Showing::Place;
    update();
    emit viewMoved();
}

void GraphCanvas::pan(const QPointF& pixels) {
    window.pan(pixels);
    showing = Showing::Place;
    update();
    emit viewMoved();
}

void GraphCanvas::fitAll() {
    window.fit();
    showing = Showing::Whole;
    update();
    emit viewMoved();
}

void GraphCanvas::fitChosen() {
    if (currentBox()) {
        fitRect(shownScene->boxRect(*currentBox()));
    } else if (marks().frame) {
        fitRect(shownScene->frameRect(*marks().frame));
    }
}

void GraphCanvas::click(const QPointF& at) {
    if (!shownScene) {
        return;
    }
    const QPointF point = window.toPlane(at);
    const auto box = shownScene->boxAt(point);
    const auto frame = box ? std::nullopt : shownScene->frameAt(point);
    if (frame) {
        marking.chooseFrame(*frame);
        update();
        emit chosen();
        speakValue(*this);
    } else {
        chooseBox(box);
    }
}

bool GraphCanvas::doubleClick(const QPointF& at) {
    if (!shownScene || mapRect().contains(at)) {
        return false;
    }
    click(at);
    // Inside an open group, only its title folds it: a double click elsewhere is meant to look closer.
    constexpr double titleHeight = 20;  // in the unit of the scene
    const auto frame = marks().frame;
    if (frame && window.toPlane(at).y() >= shownScene->frameRect(*frame).top() + titleHeight) {
        fitChosen();
        return true;
    }
    if (currentBox() && shownScene->diagram().boxes[*currentBox()].kind == DiagramBox::Kind::Node) {
        emit nodeDoubleClicked();
    }
    toggleChosen();
    return true;
}

bool GraphCanvas::holdAt(const QPointF& at) {
    const bool onMap = mapRect().contains(at);
    if (onMap) {
        follow(at);
    }
    return onMap;
}

void GraphCanvas::follow(const QPointF& at) {
    window.centre(GraphMap::pointAt(at, size(), window));
    showing = Showing::Place;
    update();
    emit viewMoved();
}

void GraphCanvas::walk(GraphScene::Step step) {
    if (!shownScene || shownScene->diagram().boxes.empty()) {
        return;
    }
    if (!currentBox()) {
        chooseBox(0);
    } else if (const auto next = shownScene->walk(*currentBox(), step)) {
        chooseBox(next);
    }
}

void GraphCanvas::toggleChosen() {
    if (marks().frame) {
        emit foldRequested(shownScene->diagram().groups[*marks().frame].id);
    } else if (currentBox()) {
        const DiagramBox& box = shownScene->diagram().boxes[*currentBox()];
        if (box.kind == DiagramBox::Kind::Group) {
            emit openRequested(GraphGroupId(box.id));
        }
    }
}

void GraphCanvas::foldAround() {
    if (marks().frame) {
        emit foldRequested(shownScene->diagram().groups[*marks().frame].id);
    } else if (currentBox()) {
        if (const auto& parent = shownScene->diagram().boxes[*currentBox()].parent) {
            emit foldRequested(shownScene->diagram().groups[*parent].id);
        }
    }
}

}  // namespace et::visualizers

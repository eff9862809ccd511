#include "visualizers/flame/flame_widget.h"

#include "visualizers/selection.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double closestPart = 1e-5;  // fraction of the run

}  // namespace

FlameWidget::FlameWidget(Selection& selection, QWidget* parent)
    : ZoomPanWidget({.upDown = true, .itemName = QStringLiteral("Node"), .stepName = QStringLiteral("Node")},
                    parent),
      chosen(selection) {
    painter.restyle(palette());
    setAccessibleName(QStringLiteral("Flame graph"));
    keyedAction(
        *this, QStringLiteral("Go to the P&arent"), Qt::Key_Up, [this] { selectInStack(false); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Go to the First &Part"), Qt::Key_Down, [this] { selectInStack(true); },
        KeyScope::Widget);
    connect(&chosen, &Selection::currentChanged, this, &FlameWidget::showChosen);
    connect(&chosen, &Selection::hoverChanged, this, &FlameWidget::showHovered);
}

void FlameWidget::setScene(std::shared_ptr<const FlameScene> shown) {
    scene = std::move(shown);
    current.reset();
    pointed.reset();
    scrolled = 0;
    const double length = scene && scene->length() > 0 ? scene->length() : 1;
    window = ZoomRange(length, length * closestPart, width());
    showChosen();
    moved();
}

void FlameWidget::setRootBelow(bool below) {
    rootBelow = below;
    scrolled = 0;
    moved();
}

void FlameWidget::setSearch(const QString& text) {
    search = text;
    update();
}

FlameLayout FlameWidget::rowLayout() const {
    return FlameLayout::of(scene ? scene->tree().depth : 0, width(), height(), fontMetrics().height(),
                           rootBelow, scrolled);
}

QRectF FlameWidget::rectOf(std::size_t node) const {
    return scene ? FlamePainter::rectOf(*scene, rowLayout(), window, node) : QRectF();
}

void FlameWidget::paintEvent(QPaintEvent*) {
    PicturePainter canvas(this);
    canvas.fillRect(rect(), palette().base());
    if (scene && scene->length() > 0) {
        painter.paint(canvas, *scene, rowLayout(),
                      {.window = window, .chosen = current, .hovered = pointed, .search = search});
    }
}

void FlameWidget::resizeEvent(QResizeEvent*) {
    window.setPixels(width());
}

void FlameWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) {
        painter.restyle(palette());
        update();
    }
    ZoomPanWidget::changeEvent(event);
}

void FlameWidget::moved() {
    update();
    emit viewMoved();
}

void FlameWidget::showTimes(double from, double to) {
    window.show(from, to);
    moved();
}

std::optional<std::size_t> FlameWidget::nodeAt(const QPointF& at) const {
    const auto depth = scene && scene->length() > 0 ? rowLayout().depthAt(at.y()) : std::nullopt;
    const auto node = depth ? scene->nodeAt(*depth, window.valueAt(at.x())) : std::nullopt;
    return node && scene->tree().nodes[*node].depth == *depth ? node : std::nullopt;
}

void FlameWidget::choose(std::optional<std::size_t> node) {
    current = node;
    choosing = true;
    if (node) {
        chosen.setEvents(scene->eventsOf(*node), scene->slowestOf(*node));
    } else {
        chosen.setCurrent(std::nullopt);
    }
    choosing = false;
    emit nodeChosen();
    speakValue(*this);
    update();
}

// Shows the selection made in another view.
void FlameWidget::showChosen() {
    if (choosing) {
        return;
    }
    const auto event = chosen.current();
    current = scene && event ? scene->nodeOf(*event) : std::nullopt;
    emit nodeChosen();
    speakValue(*this);
    update();
}

void FlameWidget::showHovered() {
    const auto event = chosen.hovered();
    const auto node = scene && event ? scene->nodeOf(*event) : std::nullopt;
    if (node != pointed) {
        pointed = node;
        update();
    }
}

void FlameWidget::selectAdjacent(int by) {
    if (!scene) {
        return;
    }
    if (!current || *current == 0) {
        choose(0);
        return;
    }
    const auto& around = scene->tree().nodes[*scene->tree().nodes[*current].parent].children;
    const auto place = std::ranges::find(around, *current) - around.begin();
    const auto last = static_cast<std::ptrdiff_t>(around.size()) - 1;
    choose(around[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place + by, 0, last))]);
}

void FlameWidget::selectInStack(bool down) {
    if (!scene) {
        return;
    }
    const auto& nodes = scene->tree().nodes;
    if (!current) {
        choose(0);
    } else if (down != rootBelow && !nodes[*current].children.empty()) {
        choose(nodes[*current].children.front());
    } else if (down == rootBelow && nodes[*current].parent) {
        choose(nodes[*current].parent);
    }
}

void FlameWidget::click(const QPointF& at) {
    choose(nodeAt(at));
}

bool FlameWidget::doubleClick(const QPointF& at) {
    const auto node = nodeAt(at);
    if (node) {
        choose(node);
        fit(*node);
    }
    return node.has_value();
}

void FlameWidget::fit(std::size_t node) {
    if (scene && scene->tree().nodes[node].total > 0) {
        const double left = scene->leftOf(node);
        showTimes(left, left + scene->tree().nodes[node].total);
    }
}

void FlameWidget::fitAll() {
    window.fit();
    moved();
}

void FlameWidget::fitChosen() {
    if (current) {
        fit(*current);
    }
}

void FlameWidget::zoom(double factor, Axis, const QPointF& at) {
    window.zoom(factor, at.x());
    moved();
}

void FlameWidget::pan(const QPointF& pixels) {
    window.pan(pixels.x() / std::max(width(), 1));
    const int down = static_cast<int>(rootBelow ? -pixels.y() : pixels.y());
    scrolled = std::clamp(scrolled + down, 0, rowLayout().maxScroll(scene ? scene->tree().depth : 0));
    moved();
}

void FlameWidget::hover(std::optional<QPointF> at) {
    const auto node = at ? nodeAt(*at) : std::nullopt;
    const bool single = node && !scene->tree().nodes[*node].events.empty();
    chosen.setHovered(
        single ? std::optional(EventRef{scene->tree().block, scene->tree().nodes[*node].events.front()})
               : std::nullopt);
    if (node != pointed) {
        pointed = node;
        update();
    }
}

QString FlameWidget::spokenValue() const {
    return scene && current ? flameText(*scene, *current) : QString();
}

QString FlameWidget::tipAt(const QPointF& at) const {
    const auto node = nodeAt(at);
    return node ? flameText(*scene, *node).replace(QStringLiteral("   ·   "), QStringLiteral("\n"))
                : QString();
}

}  // namespace et::visualizers

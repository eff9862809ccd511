#include "visualizers/size/size_map_widget.h"

#include "inspector/size/size_plot.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/text.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <string_view>
#include <utility>

namespace et::visualizers {

using inspector::MapCell;
using inspector::SizeNode;

namespace {

constexpr double palePart = 0.2;
constexpr double darkPart = 0.72;

}  // namespace

QColor sizeColour(inspector::SizeKind kind, const QPalette& palette) {
    const QColor colour = QColor::fromRgb(inspector::sizeKinds[static_cast<std::size_t>(kind)].colour);
    const QColor base = palette.color(QPalette::Base);
    return base.lightness() < 128 ? mixedColour(base, colour, darkPart) : colour;
}

SizeMapWidget::SizeMapWidget(Selection& selection, QWidget* parent)
    : ZoomPanWidget({.itemName = QStringLiteral("Tensor"), .stepName = QStringLiteral("Tensor")}, parent),
      chosen(selection) {
    setAccessibleName(QStringLiteral("Map of sizes"));
    connect(&chosen, &Selection::currentChanged, this, &SizeMapWidget::showChosen);
    connect(&chosen, &Selection::hoverChanged, this, &SizeMapWidget::showHovered);
}

void SizeMapWidget::setScene(std::shared_ptr<const SizeScene> shown) {
    scene = std::move(shown);
    current.reset();
    arrange();
    showChosen();
    showHovered();
}

void SizeMapWidget::setBy(inspector::SizeBy by) {
    if (by == summed) {
        return;
    }
    const auto piece = current && tree[*current].piece ? tree[*current].piece : std::nullopt;
    summed = by;
    arrange();
    current = piece ? nodeOf(*piece) : std::nullopt;
    emit nodeChosen();
}

void SizeMapWidget::setSearch(const QString& text) {
    search = text;
    update();
}

void SizeMapWidget::arrange() {
    tree = scene ? inspector::sizeTree(scene->map(), summed, {}, inspector::ModuleNesting::Nested)
                 : std::vector<SizeNode>{};
    current.reset();
    root = 0;
    layOut();
    emit rootChanged();
}

inspector::TreemapStyle SizeMapWidget::style() const {
    const double head = fontMetrics().height() + 2;
    return {.headHeight = head, .leastForHead = 3 * head, .leastSide = 1};
}

void SizeMapWidget::layOut() {
    cells.clear();
    if (!tree.empty()) {
        cells = inspector::layTreemap(tree, root, {0, 0, double(width()), double(height())}, style());
    }
    update();
}

void SizeMapWidget::enter(std::size_t node) {
    if (node >= tree.size() || tree[node].piece || node == root) {
        return;
    }
    root = node;
    layOut();
    emit rootChanged();
}

void SizeMapWidget::resizeEvent(QResizeEvent*) {
    layOut();
}

void SizeMapWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange) {
        layOut();
    }
    ZoomPanWidget::changeEvent(event);
}

void SizeMapWidget::paintEvent(QPaintEvent*) {
    PicturePainter canvas(this);
    canvas.fillRect(rect(), palette().base());
    if (!scene || tree.empty()) {
        return;
    }
    const double lineHeight = fontMetrics().height();
    constexpr std::string_view usualName = "forward: delegate 0, v100";
    inspector::plot::Scene map;
    inspector::addSizes(map,
                        {.map = scene->map(),
                         .nodes = tree,
                         .cells = cells,
                         .root = root,
                         .style = style(),
                         .colour = [this](const SizeNode& node) { return colourOf(node).rgb() & 0xffffffU; },
                         .textScale = fontMetrics().horizontalAdvance(toQString(usualName)) /
                                      inspector::plot::Frame{.lineHeight = lineHeight}.textWidth(usualName)},
                        lineHeight);
    paintScene(canvas, map, palette());
    paintFrames(canvas);
}

QColor SizeMapWidget::colourOf(const SizeNode& node) const {
    const QColor colour = sizeColour(scene->piece(*node.piece).kind, palette());
    const bool isFound = toQString(node.name).contains(search, Qt::CaseInsensitive);
    return isFound ? colour : mixedColour(palette().color(QPalette::Base), colour, palePart);
}

void SizeMapWidget::paintFrames(QPainter& painter) const {
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](std::size_t node, QPalette::ColorRole role) {
        if (cells[node].width > 0) {
            painter.setPen(QPen(palette().color(role), 2));
            painter.drawRect(rectOf(node).adjusted(1, 1, -2, -2));
        }
    };
    for (std::size_t node = 0; node < tree.size(); ++node) {
        const auto piece = tree[node].piece;
        if (piece && *piece < glowing.size() && glowing[*piece]) {
            frame(node, QPalette::Highlight);
        }
        if (piece && *piece < linked.size() && linked[*piece]) {
            frame(node, QPalette::Text);
        }
    }
    if (current) {
        frame(*current, QPalette::Text);
    }
}

std::optional<std::size_t> SizeMapWidget::partAt(const QPointF& at) const {
    if (tree.empty()) {
        return std::nullopt;
    }
    const auto& parts = tree[root].children;
    const auto found =
        std::ranges::find_if(parts, [&](std::size_t part) { return cells[part].contains(at.x(), at.y()); });
    return found == parts.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::size_t> SizeMapWidget::nodeAt(const QPointF& at) const {
    std::optional<std::size_t> node = partAt(at);
    while (node) {
        const auto& parts = tree[*node].children;
        const auto inner = std::ranges::find_if(
            parts, [&](std::size_t part) { return cells[part].contains(at.x(), at.y()); });
        if (inner == parts.end()) {
            break;
        }
        node = *inner;
    }
    return node;
}

std::optional<std::size_t> SizeMapWidget::nodeOf(std::size_t piece) const {
    const auto found = std::ranges::find(tree, std::optional(piece), &SizeNode::piece);
    return found == tree.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - tree.begin()));
}

QRectF SizeMapWidget::rectOf(std::size_t node) const {
    const MapCell cell = node < cells.size() ? cells[node] : MapCell{};
    return {cell.x, cell.y, cell.width, cell.height};
}

void SizeMapWidget::choose(std::optional<std::size_t> node) {
    current = node;
    choosing = true;
    if (node && tree[*node].piece) {
        chooseReader(chosen, scene->piece(*tree[*node].piece));
    } else {
        chosen.setCurrent(std::nullopt);
    }
    choosing = false;
    linked = scene ? scene->piecesOf(chosen) : std::vector<bool>();
    emit nodeChosen();
    speakValue(*this);
    update();
}

// Shows the selection made in another view.
void SizeMapWidget::showChosen() {
    if (choosing || !scene) {
        return;
    }
    linked = scene->piecesOf(chosen);
    const auto first = std::ranges::find(linked, true);
    current = first == linked.end() ? std::nullopt : nodeOf(static_cast<std::size_t>(first - linked.begin()));
    emit nodeChosen();
    speakValue(*this);
    update();
}

void SizeMapWidget::showHovered() {
    std::vector<bool> now = scene ? scene->piecesOf(chosen.hovered()) : std::vector<bool>();
    if (now != glowing) {
        glowing = std::move(now);
        update();
    }
}

void SizeMapWidget::selectAdjacent(int by) {
    if (tree.empty()) {
        return;
    }
    const auto& around = tree[current ? tree[*current].parent : root].children;
    if (around.empty()) {
        return;
    }
    const auto place = current ? std::ranges::find(around, *current) - around.begin() : -by;
    choose(around[static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(place + by, 0, static_cast<std::ptrdiff_t>(around.size()) - 1))]);
}

void SizeMapWidget::click(const QPointF& at) {
    const auto node = nodeAt(at);
    if (node && !tree[*node].piece) {
        enter(*node);
    } else {
        choose(node);
    }
}

bool SizeMapWidget::doubleClick(const QPointF& at) {
    const auto part = partAt(at);
    if (part) {
        enter(*part);
    }
    return part.has_value();
}

void SizeMapWidget::fitChosen() {
    if (current) {
        enter(tree[*current].piece ? tree[*current].parent : *current);
    }
}

void SizeMapWidget::zoom(double factor, Axis, const QPointF& at) {
    if (tree.empty()) {
        return;
    }
    if (factor > 1) {
        enter(tree[root].parent);
    } else if (const auto part = partAt(at)) {
        enter(*part);
    }
}

void SizeMapWidget::hover(std::optional<QPointF> at) {
    const auto node = at ? nodeAt(*at) : std::nullopt;
    const auto piece = node ? tree[*node].piece : std::nullopt;
    chosen.setHovered(piece ? scene->eventOf(*piece) : std::nullopt);
    std::vector<bool> now = scene ? scene->piecesOf(chosen.hovered()) : std::vector<bool>();
    if (piece) {
        now[*piece] = true;
    }
    if (now != glowing) {
        glowing = std::move(now);
        update();
    }
}

QString SizeMapWidget::spokenValue() const {
    return scene && current ? toQStringLines(sizeNodeText(scene->map(), tree, *current))
                                  .replace(QLatin1Char('\n'), QStringLiteral("   ·   "))
                            : QString();
}

QString SizeMapWidget::tipAt(const QPointF& at) const {
    const auto node = nodeAt(at);
    return node ? toQStringLines(sizeNodeText(scene->map(), tree, *node)) : QString();
}

}  // namespace et::visualizers

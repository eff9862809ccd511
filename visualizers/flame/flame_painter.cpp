#include "visualizers/flame/flame_painter.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/change_colour.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/name_colour.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

using inspector::events::FlameNode;

constexpr int flamePadding = 8;
constexpr int mostFlameLines = 3;
constexpr double narrowest = 0.5;  // pixels
constexpr double flameNameRoom = 30;
constexpr int flameMargin = 3;
constexpr double flamePale = 0.2;

/// Relative change of a node; nothing if it is not compared.
std::optional<double> changeOf(const FlameNode& node) {
    if (!node.before) {
        return std::nullopt;
    }
    if (*node.before <= 0) {
        return node.total > 0 ? 1 : 0;
    }
    return node.total / *node.before - 1;
}

}  // namespace

FlameLayout FlameLayout::of(std::size_t depth, int width, int height, int line, bool rootBelow,
                            int scrolled) {
    const int rows = static_cast<int>(depth) + 1;
    const int least = line + flamePadding;
    const int row = std::clamp(height / std::max(rows, 1), least, mostFlameLines * line + flamePadding);
    return {.width = width,
            .height = height,
            .rowHeight = row,
            .rootBelow = rootBelow,
            .scrolled = std::clamp(scrolled, 0, std::max(rows * row - height, 0))};
}

int FlameLayout::maxScroll(std::size_t depth) const {
    return std::max((static_cast<int>(depth) + 1) * rowHeight - height, 0);
}

double FlameLayout::topOf(std::size_t depth) const {
    const int down = static_cast<int>(depth) * rowHeight - scrolled;
    return rootBelow ? height - down - rowHeight : down;
}

std::optional<std::size_t> FlameLayout::depthAt(double y) const {
    const double down = (rootBelow ? height - y : y) + scrolled;
    return down < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(down / rowHeight));
}

void FlamePainter::restyle(const QPalette& palette) {
    colours = palette;
    dark = palette.color(QPalette::Base).lightness() < 128;
}

QRectF FlamePainter::rectOf(const FlameScene& scene, const FlameLayout& layout, const ZoomRange& window,
                            std::size_t node) {
    const FlameNode& of = scene.tree().nodes[node];
    const double left = window.pixelOf(scene.leftOf(node));
    const double right = window.pixelOf(scene.leftOf(node) + of.total);
    const double first = std::max(left, 0.0);
    return {first, layout.topOf(of.depth), std::max(std::min(right, double(layout.width)) - first, 0.0),
            double(layout.rowHeight)};
}

QColor FlamePainter::colourOf(const FlameNode& node, const FlameShown& shown) const {
    const QColor base = colours.color(QPalette::Base);
    QColor colour;
    if (const auto change = changeOf(node)) {
        colour = changeColour(*change, colours);
    } else if (node.isOperator) {
        colour = barColour(node.name, dark);
    } else {
        colour = mixedColour(base, colours.color(QPalette::Highlight), node.depth % 2 == 0 ? 0.36 : 0.26);
    }
    const bool pale =
        !shown.search.isEmpty() && !toQString(node.name).contains(shown.search, Qt::CaseInsensitive);
    return pale ? mixedColour(base, colour, flamePale) : colour;
}

void FlamePainter::paintNode(QPainter& painter, const FlameScene& scene, std::size_t node, const QRectF& bar,
                             const FlameShown& shown) const {
    const FlameNode& of = scene.tree().nodes[node];
    painter.fillRect(bar.adjusted(0, 0, bar.width() > 3 ? -1 : 0, -1), colourOf(of, shown));
    if (bar.width() < flameNameRoom) {
        return;
    }
    const int line = painter.fontMetrics().height();
    const auto room = static_cast<int>(bar.width()) - 2 * flameMargin;
    const bool timed = bar.height() >= 2 * line + flameMargin;
    const QString time = timeText(of.total, scene.blocks().options().target);
    const QString share = scene.length() > 0
                              ? toQString(inspector::format::readablePercent(of.total / scene.length()))
                              : QString();
    const QString numbers = time + QStringLiteral(" · ") + share;
    QString name = toQString(of.name);
    const QString both = name + QStringLiteral("  ") + numbers;
    if (!timed && texts.widthOf(both, painter.font()) <= room) {
        name = both;
    }
    painter.setPen(colours.color(QPalette::Text));
    const QPointF at(bar.left() + flameMargin, bar.center().y() - (timed ? line : line / 2.0));
    painter.drawStaticText(at, texts.line(name, room, painter.font()));
    if (timed) {
        painter.drawStaticText(
            at + QPointF(0, line),
            texts.line(fitting({numbers, time}, painter.font(), room), room, painter.font()));
    }
}

/// The first text that fits, because a cut number would be misleading.
QString FlamePainter::fitting(const QStringList& each, const QFont& font, int room) const {
    const auto found =
        std::ranges::find_if(each, [&](const QString& text) { return texts.widthOf(text, font) <= room; });
    return found == each.end() ? QString() : *found;
}

void FlamePainter::paint(QPainter& painter, const FlameScene& scene, const FlameLayout& layout,
                         const FlameShown& shown) const {
    std::vector<std::size_t> open{0};
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        const FlameNode& of = scene.tree().nodes[node];
        const double left = shown.window.pixelOf(scene.leftOf(node));
        const double right = shown.window.pixelOf(scene.leftOf(node) + of.total);
        if (right - left < narrowest || right < 0 || left > layout.width) {
            continue;
        }
        const QRectF bar = rectOf(scene, layout, shown.window, node);
        if (bar.bottom() > 0 && bar.top() < layout.height) {
            paintNode(painter, scene, node, bar, shown);
        }
        open.insert(open.end(), of.children.begin(), of.children.end());
    }
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](std::optional<std::size_t> node, QPalette::ColorRole role) {
        if (node) {
            painter.setPen(QPen(colours.color(role), 2));
            painter.drawRect(rectOf(scene, layout, shown.window, *node).adjusted(1, 1, -2, -2));
        }
    };
    frame(shown.hovered, QPalette::Highlight);
    frame(shown.chosen, QPalette::Text);
}

QString flameText(const FlameScene& scene, std::size_t node) {
    const FlameNode& of = scene.tree().nodes[node];
    const inspector::TimeScale unit = scene.blocks().options().target;
    QStringList parts{toQString(scene.tree().pathOf(node)), timeText(of.total, unit)};
    if (scene.length() > 0) {
        parts.append(QStringLiteral("%1 of the run")
                         .arg(toQString(inspector::format::readablePercent(of.total / scene.length()))));
    }
    if (!of.children.empty() && of.self > 0) {
        parts.append(QStringLiteral("%1 self").arg(timeText(of.self, unit)));
    }
    if (of.before) {
        parts.append(*of.before > 0 ? QStringLiteral("before %1").arg(timeText(*of.before, unit))
                                    : QStringLiteral("not present before"));
    }
    return parts.join(QStringLiteral("   ·   "));
}

}  // namespace et::visualizers

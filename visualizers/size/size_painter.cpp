#include "visualizers/size/size_painter.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>
#include <QLocale>
#include <QPainter>
#include <QStringList>

#include <string>

namespace et::visualizers {

namespace {

using inspector::MapCell;
using inspector::SizeNode;
using inspector::SizePiece;

constexpr double sizeMargin = 3;
constexpr double namedWidth = 36;
constexpr double palePart = 0.2;
constexpr double darkPart = 0.72;

QRectF rectOf(const MapCell& cell) {
    return {cell.x, cell.y, cell.width, cell.height};
}

QString bytesOf(std::uint64_t bytes) {
    return toQString(inspector::format::readableBytes(bytes));
}

}  // namespace

QColor sizeColour(inspector::SizeKind kind, const QPalette& palette) {
    const QColor colour = QColor::fromRgb(inspector::sizeKinds[static_cast<std::size_t>(kind)].colour);
    const QColor base = palette.color(QPalette::Base);
    return base.lightness() < 128 ? mixedColour(base, colour, darkPart) : colour;
}

void SizePainter::paint(QPainter& painter, const ShownMap& map, const inspector::TreemapStyle& style) const {
    std::vector<std::size_t> open{map.root};
    while (!open.empty()) {
        const std::size_t node = open.back();
        open.pop_back();
        if (map.cells[node].width <= 0) {
            continue;
        }
        if (map.nodes[node].piece) {
            paintPiece(painter, map, node);
            continue;
        }
        if (node != map.root) {
            paintSum(painter, map, node, style);
        }
        open.insert(open.end(), map.nodes[node].children.begin(), map.nodes[node].children.end());
    }
    paintFrames(painter, map);
}

void SizePainter::paintSum(QPainter& painter, const ShownMap& map, std::size_t node,
                           const inspector::TreemapStyle& style) const {
    const QRectF all = rectOf(map.cells[node]);
    painter.fillRect(all, colours.color(QPalette::Window));
    if (!inspector::hasHead(map.cells[node], style)) {
        return;
    }
    const SizeNode& of = map.nodes[node];
    const QRectF head(all.left() + sizeMargin, all.top(), all.width() - 2 * sizeMargin, style.headHeight);
    painter.setPen(colours.color(QPalette::WindowText));
    painter.drawText(
        head, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(toQString(of.name) + QStringLiteral("  ") + bytesOf(of.bytes),
                                         Qt::ElideRight, static_cast<int>(head.width())));
}

void SizePainter::paintPiece(QPainter& painter, const ShownMap& map, std::size_t node) const {
    const SizeNode& of = map.nodes[node];
    const QRectF area = rectOf(map.cells[node]);
    QColor colour = sizeColour(map.scene.piece(*of.piece).kind, colours);
    const QString name = toQString(of.name);
    if (!map.search.isEmpty() && !name.contains(map.search, Qt::CaseInsensitive)) {
        colour = mixedColour(colours.color(QPalette::Base), colour, palePart);
    }
    // A one-pixel gap between neighbours, if they are larger than a few pixels.
    const double gap = area.width() > 3 && area.height() > 3 ? 1 : 0;
    painter.fillRect(area.adjusted(0, 0, -gap, -gap), colour);
    const QFontMetrics metrics = painter.fontMetrics();
    if (area.width() < namedWidth || area.height() < metrics.height()) {
        return;
    }
    painter.setPen(inkOn(colour));
    const auto room = static_cast<int>(area.width() - 2 * sizeMargin);
    QRectF line(area.left() + sizeMargin, area.top(), room, metrics.height());
    // Elided on the left, because the end of a name is more specific.
    painter.drawText(line, Qt::AlignLeft, metrics.elidedText(name, Qt::ElideLeft, room));
    line.translate(0, metrics.height());
    const QString bytes = bytesOf(of.bytes);
    if (line.bottom() < area.bottom() && metrics.horizontalAdvance(bytes) <= room) {
        painter.drawText(line, Qt::AlignLeft, bytes);
    }
}

void SizePainter::paintFrames(QPainter& painter, const ShownMap& map) const {
    painter.setBrush(Qt::NoBrush);
    const auto frame = [&](std::size_t node, QPalette::ColorRole role) {
        if (map.cells[node].width > 0) {
            painter.setPen(QPen(colours.color(role), 2));
            painter.drawRect(rectOf(map.cells[node]).adjusted(1, 1, -2, -2));
        }
    };
    for (std::size_t node = 0; node < map.nodes.size(); ++node) {
        const auto piece = map.nodes[node].piece;
        if (piece && *piece < map.hovered.size() && map.hovered[*piece]) {
            frame(node, QPalette::Highlight);
        }
        if (piece && *piece < map.linked.size() && map.linked[*piece]) {
            frame(node, QPalette::Text);
        }
    }
    if (map.chosen) {
        frame(*map.chosen, QPalette::Text);
    }
}

QString sizeNodeText(const SizeScene& scene, const std::vector<SizeNode>& nodes, std::size_t node) {
    const SizeNode& of = nodes[node];
    QStringList parts{
        node == 0 ? QStringLiteral("all files") : toQString(of.name),
        QStringLiteral("%1 (%2 bytes)").arg(bytesOf(of.bytes), QLocale::c().toString(qulonglong(of.bytes)))};
    const std::uint64_t all = scene.map().total();
    if (all > 0) {
        parts.append(QStringLiteral("%1 of all")
                         .arg(toQString(inspector::format::readablePercent(static_cast<double>(of.bytes) /
                                                                           static_cast<double>(all)))));
    }
    if (!of.piece) {
        return parts.join(QStringLiteral("   ·   "));
    }
    const SizePiece& piece = scene.piece(*of.piece);
    parts.append(toQString(inspector::name(piece.kind)));
    for (const std::string& more : {piece.type, piece.scheme, piece.module, piece.backend}) {
        if (!more.empty()) {
            parts.append(toQString(more));
        }
    }
    if (piece.uses > 1) {
        parts.append(QStringLiteral("used by %1 values").arg(piece.uses));
    }
    return parts.join(QStringLiteral("   ·   "));
}

}  // namespace et::visualizers

#include "visualizers/graph/graph_painter.h"

#include "visualizers/graph/spot_image.h"
#include "visualizers/toolkit/debug_mark.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::visualizers {

using inspector::boxMetrics;
using inspector::DiagramBox;

namespace {

// In screen pixels.
constexpr double minWords = 5.5;  // smaller text is unreadable
constexpr double minBorder = 9;   // minimum height of a box with a border
constexpr double minBorderOfMany = 14;
constexpr double minArrow = 3;
constexpr double minFrame = 12;  // minimum height of a frame with an outline
constexpr double minLine = 1.5;  // minimum length of an edge among very many
constexpr double corner = 4;

constexpr double frameTitleSize = 11;
constexpr double titleMargin = 8;
constexpr double titleBase = 14;  // distance from the top of the frame
constexpr double sizeHeight = 9;  // text height on an edge
constexpr float paleness = 0.22F;
/// Number of visible items of a kind above which they are drawn without anti-aliasing.
constexpr std::size_t maxSmooth = 1500;

QPointF planePoint(const inspector::LayoutPoint& point) {
    return {point.x, point.y};
}

QFont sized(const QFont& font, double pixels) {
    QFont out = font;
    out.setPixelSize(std::max(static_cast<int>(std::lround(pixels)), 1));
    return out;
}

}  // namespace

GraphPainter::GraphPainter(const GraphScene& of, const inspector::BoxColours& fills,
                           const GraphMarks& standOut, const GraphStyle& look, const PlaneView& through)
    : scene(of),
      colours(fills),
      marks(standOut),
      style(look),
      view(through),
      words(of.view(fills)),
      seen(through.visible()) {
}

bool GraphPainter::wordsShow() const {
    return boxMetrics.titleSize * view.scale() >= minWords;
}

QColor GraphPainter::fillOf(std::size_t box) const {
    const DiagramBox& what = scene.diagram().boxes[box];
    if (what.kind == DiagramBox::Kind::Input || what.kind == DiagramBox::Kind::Output) {
        return style.end;
    }
    return colour(colours.fills[box]);
}

/// Parsing a colour takes longer than painting with it, and there are few colours.
QColor GraphPainter::colour(std::string_view text) const {
    const auto [place, fresh] = known.try_emplace(text);
    if (fresh) {
        place->second = style.fill(text);
    }
    return place->second;
}

void GraphPainter::paint(QPainter& painter) const {
    titles.clear();
    const auto visible = [this](std::size_t count, auto rectOf) {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < count; ++i) {
            if (rectOf(i).intersects(seen)) {
                all.push_back(i);
            }
        }
        return all;
    };
    const auto frames =
        visible(scene.diagram().groups.size(), [this](std::size_t i) { return scene.frameRect(i); });
    for (const std::size_t frame : frames) {
        paintFrame(painter, frame, frames.size() > maxSmooth);
    }
    const auto edges =
        visible(scene.diagram().edges.size(), [this](std::size_t i) { return scene.edgeRect(i); });
    const auto boxes =
        visible(scene.diagram().boxes.size(), [this](std::size_t i) { return scene.boxRect(i); });
    if (edges.size() > maxSmooth || boxes.size() > maxSmooth) {
        paintMany(painter, edges, boxes);
    } else {
        paintFew(painter, edges, boxes);
    }
    painter.setOpacity(1);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t box : boxes) {
        paintOutline(painter, box);
    }
}

void GraphPainter::paintFew(QPainter& painter, const Places& edges, const Places& boxes) const {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t edge : edges) {
        paintEdge(painter, edge);
    }
    for (const std::size_t box : boxes) {
        painter.setOpacity(pale(box) ? paleness : 1);
        paintBox(painter, box, minBorder);
    }
}

/// Draws edges as straight lines and small boxes as dots, below larger items.
void GraphPainter::paintMany(QPainter& painter, const Places& edges, const Places& boxes) const {
    SpotImage spots(*painter.device());
    if (spots.dots().isNull()) {  // not enough memory for such a large image
        paintFew(painter, edges, boxes);
        return;
    }
    const QRgb line = style.line.rgba();
    for (const std::size_t edge : edges) {
        const inspector::DiagramEdge& ends = scene.diagram().edges[edge];
        const auto& points = scene.layout().edges[edge];
        if (points.empty() || pale(ends.from) || pale(ends.to)) {
            continue;
        }
        const QLineF straight(view.toScreen(planePoint(points.front())),
                              view.toScreen(planePoint(points.back())));
        if (std::abs(straight.dx()) + std::abs(straight.dy()) >= minLine) {
            spots.draw(straight, line);
        }
    }
    Places large;
    for (const std::size_t box : boxes) {
        const QRectF rect = view.toScreen(scene.boxRect(box));
        if (rect.height() >= minBorderOfMany) {
            large.push_back(box);
            continue;
        }
        QColor fill = fillOf(box);
        fill.setAlphaF(pale(box) ? paleness : 1);
        spots.fill(rect, fill.rgba());
    }
    spots.paint(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::size_t edge : edges) {
        if (lit(edge)) {
            paintEdge(painter, edge);
        }
    }
    for (const std::size_t box : large) {
        painter.setOpacity(pale(box) ? paleness : 1);
        paintBox(painter, box, minBorderOfMany);
    }
}

void GraphPainter::paintSpots(QPainter& painter, const QTransform& toPixels) const {
    for (std::size_t i = 0; i < scene.diagram().boxes.size(); ++i) {
        const QRectF rect = toPixels.mapRect(scene.boxRect(i));
        painter.fillRect(QRectF(rect.topLeft(), rect.size().expandedTo({1, 1})),
                         pale(i) ? style.plain : fillOf(i).darker(style.dark ? 70 : 125));
    }
}

void GraphPainter::paintFrame(QPainter& painter, std::size_t frame, bool plain) const {
    const core::GraphGroup& group = scene.graph().group(scene.diagram().groups[frame].id);
    const QRectF rect = view.toScreen(scene.frameRect(frame));
    const QColor line = group.kind == "delegate" ? style.delegate : style.frame;
    QColor fill = line;
    fill.setAlpha(style.dark ? 0x22 : 0x16);
    if (rect.height() < minFrame && marks.frame != frame) {
        painter.fillRect(rect, fill);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, !plain);
    painter.setPen(marks.frame == frame ? QPen(style.chosen, 3) : QPen(line, 1));
    painter.setBrush(fill);
    if (plain) {
        painter.drawRect(rect);
    } else {
        painter.drawRoundedRect(rect, corner, corner);
    }
    if (frameTitleSize * view.scale() < minWords) {
        return;
    }
    QFont font = sized(style.font, frameTitleSize * view.scale());
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(style.ink);
    const double room = rect.width() - 2 * titleMargin * view.scale();
    const QFontMetricsF metrics(font);
    const QString title = metrics.elidedText(toQString(inspector::groupName(group)), Qt::ElideMiddle, room);
    const QPointF start(rect.left() + titleMargin * view.scale(), rect.top() + titleBase * view.scale());
    painter.drawText(start, title);
    if (!plain) {
        titles.push_back(metrics.boundingRect(title).translated(start));
    }
}

bool GraphPainter::lit(std::size_t edge) const {
    const inspector::DiagramEdge& ends = scene.diagram().edges[edge];
    return marks.box && (ends.from == *marks.box || ends.to == *marks.box);
}

void GraphPainter::paintEdge(QPainter& painter, std::size_t edge) const {
    const auto& points = scene.layout().edges[edge];
    if (points.empty()) {
        return;
    }
    const inspector::DiagramEdge& ends = scene.diagram().edges[edge];
    painter.setOpacity(pale(ends.from) || pale(ends.to) ? paleness : 1);
    QPainterPath path(view.toScreen(planePoint(points[0])));
    for (std::size_t i = 1; i + 2 < points.size(); i += 3) {
        path.cubicTo(view.toScreen(planePoint(points[i])), view.toScreen(planePoint(points[i + 1])),
                     view.toScreen(planePoint(points[i + 2])));
    }
    const QColor colour = lit(edge) ? style.chosen : style.line;
    painter.setPen(QPen(colour, lit(edge) ? 2 : std::clamp(view.scale(), 0.5, 1.5)));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    paintSize(painter, edge, path);
    if (inspector::arrowLength * view.scale() < minArrow || points.size() < 4) {
        return;
    }
    QPolygonF head;
    for (const inspector::LayoutPoint& corner : inspector::arrowHead(points)) {
        head.append(view.toScreen(planePoint(corner)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(head);
}

void GraphPainter::paintSize(QPainter& painter, std::size_t edge, const QPainterPath& path) const {
    const auto& values = scene.diagram().edges[edge].values;
    if (!wordsShow() || values.empty()) {
        return;
    }
    const std::string_view type = scene.graph().value(values.front()).type;
    const std::size_t open = type.find('[');
    const std::size_t close = type.find(']', open);
    if (open == std::string_view::npos || close == std::string_view::npos || close == open + 1) {
        return;
    }
    QString text =
        toQString(type.substr(open + 1, close - open - 1)).replace(QStringLiteral(", "), QStringLiteral("×"));
    if (values.size() > 1) {
        text += QStringLiteral(" +%1").arg(values.size() - 1);
    }
    QFont font = painter.font();
    font.setPixelSize(std::max(static_cast<int>(sizeHeight * view.scale()), 1));
    const QFontMetricsF metrics(font);
    const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
    // There is space next to a vertical edge, and along a horizontal edge between its boxes.
    const QRectF ends = path.boundingRect();
    const bool upright = ends.height() > ends.width();
    if (upright ? ends.height() < size.height() * 1.5 : ends.width() < size.width() * 1.3) {
        return;
    }
    QRectF place(QPointF(), size);
    const bool free = std::ranges::any_of(std::array{0.5, 0.3, 0.7}, [&](double part) {
        place.moveCenter(path.pointAtPercent(part));
        const double middle = place.center().y();  // boxes are painted over the edge
        return !scene.boxAt(view.toPlane(QPointF(place.left(), middle))) &&
               !scene.boxAt(view.toPlane(QPointF(place.right(), middle))) &&
               std::ranges::none_of(titles, [&](const QRectF& title) { return title.intersects(place); });
    });
    if (!free) {
        return;
    }
    titles.push_back(place);
    painter.setFont(font);
    painter.fillRect(place, style.ground);
    painter.setPen(style.faint);
    painter.drawText(place, Qt::AlignCenter, text);
}

void GraphPainter::paintBox(QPainter& painter, std::size_t box, double minHeight) const {
    const QRectF rect = view.toScreen(scene.boxRect(box));
    if (rect.height() < minHeight) {
        painter.fillRect(QRectF(rect.topLeft(), rect.size().expandedTo({1, 1})), fillOf(box));
        return;
    }
    const DiagramBox& what = scene.diagram().boxes[box];
    const bool folded = what.kind == DiagramBox::Kind::Group;
    const bool end = what.kind == DiagramBox::Kind::Input || what.kind == DiagramBox::Kind::Output;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.rule, folded ? 2 : 1, end ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(fillOf(box));
    painter.drawRoundedRect(rect, corner * view.scale(), corner * view.scale());
    if (wordsShow()) {
        paintWords(painter, box, rect);
    }
}

void GraphPainter::paintWords(QPainter& painter, std::size_t box, const QRectF& rect) const {
    const std::vector<std::string> lines = inspector::boxLines(words, box);
    const double scale = view.scale();
    const double height =
        boxMetrics.titleLine + static_cast<double>(lines.size() - 1) * boxMetrics.detailLine;
    double y = rect.center().y() - height * scale / 2;
    const double room = rect.width() - 6 * scale;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double size = i == 0 ? boxMetrics.titleSize : boxMetrics.detailSize;
        const double line = (i == 0 ? boxMetrics.titleLine : boxMetrics.detailLine) * scale;
        if (size * scale >= minWords) {
            const QFont font = sized(style.font, size * scale);
            painter.setFont(font);
            painter.setPen(i == 0 ? style.ink : style.faint);
            const QString text =
                QFontMetricsF(font).elidedText(toQStringLines(lines[i]), Qt::ElideRight, room);
            painter.drawText(QRectF(rect.left(), y, rect.width(), line), Qt::AlignCenter, text);
        }
        y += line;
    }
}

/// A folded corner.
void GraphPainter::paintNoteMark(QPainter& painter, std::size_t box) const {
    if (marks.noted.empty() || !marks.noted[box]) {
        return;
    }
    const QPointF end = view.toScreen(scene.boxRect(box)).topRight();
    const double side = std::clamp(view.scale() * 12, 4.0, 14.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.note);
    painter.drawPolygon(QPolygonF{end, end - QPointF(side, 0), end + QPointF(0, side)});
}

/// An arrow and a disc or ring at the left side of the box, and a frame around the current one.
void GraphPainter::paintDebugMarks(QPainter& painter, std::size_t box) const {
    const bool isCurrent = !marks.current.empty() && marks.current[box];
    const bool breaks = !marks.breaking.empty() && marks.breaking[box];
    const bool passes = !marks.passing.empty() && marks.passing[box];
    if (!isCurrent && !breaks && !passes) {
        return;
    }
    const QRectF rect = view.toScreen(scene.boxRect(box));
    const double side = std::clamp(view.scale() * 18, 6.0, 20.0);
    const QRectF edge(rect.left() - side / 2, rect.top() - side / 2, side, side);
    if (isCurrent) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(currentColour(style.palette), 4));
        painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), corner, corner);
        const QRectF left(rect.left() - side - corner, rect.center().y() - side / 2, side, side);
        paintCurrentMark(painter, left, style.palette);
    }
    if (breaks || passes) {
        paintBreakpointMark(painter, edge, breaks, style.palette);
    }
}

void GraphPainter::paintOutline(QPainter& painter, std::size_t box) const {
    paintNoteMark(painter, box);
    paintDebugMarks(painter, box);
    const bool isFound = !marks.found.empty() && marks.found[box];
    const bool isRelated = !marks.related.empty() && marks.related[box];
    const bool isChosen = marks.box == box;
    const bool glows = !marks.glowing.empty() && marks.glowing[box];
    if (!isFound && !isRelated && !isChosen && !glows) {
        return;
    }
    const QRectF rect = view.toScreen(scene.boxRect(box));
    painter.setBrush(Qt::NoBrush);
    // At a small scale, an outline would hide its box.
    const double thin = std::clamp(view.scale() * 3, 1.0, 2.0);
    if (isFound) {
        // Dotted, to be distinguishable from a selection without colour.
        painter.setPen(QPen(style.found, 3, Qt::DotLine));
        painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), corner, corner);
    }
    if (glows) {
        QColor halo = style.chosen;
        constexpr int haloAlpha = 110;
        halo.setAlpha(haloAlpha);
        painter.setPen(QPen(halo, 5));
        painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), corner, corner);
    }
    if (isRelated || isChosen) {
        painter.setPen(QPen(style.chosen, isChosen ? 3 : thin));
        painter.drawRoundedRect(rect.adjusted(-1, -1, 1, 1), corner, corner);
    }
}

}  // namespace et::visualizers

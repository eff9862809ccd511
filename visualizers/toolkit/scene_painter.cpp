#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>
#include <QPolygonF>

#include <utility>
#include <variant>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

using inspector::format::Meaning;

constexpr int sceneGridAlpha = 50;

QColor colourOf(plot::Tone tone, const plot::Style& style, const QPalette& palette) {
    QColor colour;
    switch (tone) {
        case plot::Tone::None:
            return Qt::transparent;
        case plot::Tone::Page:
            return palette.color(QPalette::Base);
        case plot::Tone::Ink:
            return palette.color(QPalette::Text);
        case plot::Tone::Faint:
            return palette.color(QPalette::PlaceholderText);
        case plot::Tone::Grid:
            colour = palette.color(QPalette::Text);
            colour.setAlpha(sceneGridAlpha);
            return colour;
        case plot::Tone::Accent:
            return palette.color(QPalette::Highlight);
        case plot::Tone::Kernel:
            return meaningColour(Meaning::Kernel, palette);
        case plot::Tone::Delegate:
            return meaningColour(Meaning::Delegate, palette);
        case plot::Tone::Error:
            return meaningColour(Meaning::Error, palette);
        case plot::Tone::Good:
            return meaningColour(Meaning::Good, palette);
        case plot::Tone::Fixed:
            return QColor::fromRgb(style.fixed);
        case plot::Tone::Own:
            return meaningColour(Meaning::Own, palette);
        case plot::Tone::Inherited:
            return meaningColour(Meaning::Inherited, palette);
    }
    std::unreachable();
}

struct ShapePainter {
    QPainter& painter;
    bool isBold = false;

    void operator()(const plot::Box& box) const {
        painter.drawRect(QRectF(box.x, box.y, box.width, box.height));
    }
    void operator()(const plot::Circle& circle) const {
        painter.drawEllipse(QPointF(circle.centre.x, circle.centre.y), circle.radius, circle.radius);
    }
    void operator()(const plot::Dots& dots) const {
        QPen pen = painter.pen();
        pen.setCapStyle(Qt::RoundCap);
        painter.setPen(pen);
        for (const plot::Point& centre : dots.centres) {
            painter.drawPoint(QPointF(centre.x, centre.y));
        }
    }
    void operator()(const plot::Path& path) const {
        QPolygonF points;
        for (const plot::Point& point : path.points) {
            points.append(QPointF(point.x, point.y));
        }
        path.closed ? painter.drawPolygon(points) : painter.drawPolyline(points);
    }
    void operator()(const plot::Text& text) const {
        QFont font = painter.font();
        font.setBold(isBold);
        painter.setFont(font);
        const QString shown = toQString(text.text);
        const double width = painter.fontMetrics().horizontalAdvance(shown);
        const double before = text.anchor == plot::TextAnchor::End      ? width
                              : text.anchor == plot::TextAnchor::Middle ? width / 2
                                                                        : 0;
        painter.drawText(QPointF(text.at.x - before, text.at.y), shown);
    }
};

}  // namespace

void paintScene(QPainter& painter, const plot::Scene& scene, const QPalette& palette) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(
        QRectF(scene.area.x, scene.area.y, scene.area.width, scene.area.height).adjusted(-1, -1, 1, 1));
    for (const plot::Mark& mark : scene.marks) {
        QColor fill = colourOf(mark.style.fill, mark.style, palette);
        QColor stroke = colourOf(mark.style.stroke, mark.style, palette);
        QColor& faded = mark.style.fill == plot::Tone::None ? stroke : fill;
        faded.setAlphaF(faded.alphaF() * static_cast<float>(mark.style.opacity));
        const bool isText = std::holds_alternative<plot::Text>(mark.shape);
        painter.setBrush(isText || mark.style.fill == plot::Tone::None ? QBrush() : QBrush(fill));
        painter.setPen(
            isText ? QPen(fill)
            : mark.style.stroke == plot::Tone::None
                ? QPen(Qt::NoPen)
                : QPen(stroke, mark.style.width, mark.style.dashed ? Qt::DashLine : Qt::SolidLine));
        painter.setClipping(mark.clipped);
        std::visit(ShapePainter{.painter = painter, .isBold = mark.style.bold}, mark.shape);
    }
    painter.restore();
}

}  // namespace et::visualizers

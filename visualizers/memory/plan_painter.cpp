#include "visualizers/memory/plan_painter.h"

#include "inspector/memory/plan_plot.h"
#include "visualizers/toolkit/debug_mark.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/plot_widget.h"

#include <QPainter>

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr int labelMargin = 8;
constexpr int paleness = 0x28;
constexpr double paleTensorShare = 0.15;  // of its colour in a pale tensor
constexpr int curveHeight = 64;
constexpr int areaGap = 8;

std::vector<QRgb> paintedColours(const PlanShown& shown, const QColor& ground) {
    std::vector<QRgb> colours = shown.shades.tensors;
    for (std::size_t i = 0; i < std::min(shown.matches.size(), colours.size()); ++i) {
        if (!shown.matches[i]) {
            colours[i] = mixedColour(ground, QColor::fromRgb(colours[i]), paleTensorShare).rgb();
        }
    }
    return colours;
}

inspector::plot::Box boxOf(const QRect& area) {
    return {.x = static_cast<double>(area.left()),
            .y = static_cast<double>(area.top()),
            .width = static_cast<double>(area.width()),
            .height = static_cast<double>(area.height())};
}

/// Paints the selection on top of the plot.
class SelectionPass {
  public:
    SelectionPass(QPainter& on, const PlanShown& of, const PlanAreas& where, const QPalette& colours)
        : painter(on), shown(of), view(of.window), areas(where), palette(colours) {}

    void paintOutline(const inspector::PlanBox* box, int width) const;
    void paintMarks() const;
    /// Paints the debugger's current step, with an arrow at the top.
    void paintCurrent() const;

  private:
    [[nodiscard]] double xOf(double place) const { return areas.plot.left() + view.x.pixelOf(place); }
    /// Fills a range of the axis in the curve and the plot.
    void paintRange(double from, double to, QColor colour) const;

    QPainter& painter;
    const PlanShown& shown;
    const PlanWindow& view;
    const PlanAreas& areas;
    const QPalette& palette;
};

void SelectionPass::paintOutline(const inspector::PlanBox* box, int width) const {
    if (box != nullptr && view.shows(*box)) {
        painter.setPen(QPen(palette.color(QPalette::Text), width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(view.rectOf(*box).translated(areas.plot.topLeft()).adjusted(0, 0, -1, -1));
    }
}

void SelectionPass::paintRange(double from, double to, QColor colour) const {
    colour.setAlpha(paleness);
    const double top = areas.curve.top();
    painter.fillRect(QRectF(from, top, to - from, areas.plot.bottom() + 1 - top), colour);
}

void SelectionPass::paintMarks() const {
    painter.setClipRect(areas.plot.united(areas.curve));
    if (shown.step) {
        const double left = xOf(view.axis.startOf(*shown.step));
        paintRange(left, std::max(xOf(view.axis.endOf(*shown.step)), left + 1),
                   palette.color(QPalette::Text));
    }
    if (shown.marked) {
        const QColor colour = palette.color(QPalette::Highlight);
        painter.setPen(colour);
        for (const double end : {xOf(shown.marked->from), xOf(shown.marked->to)}) {
            painter.drawLine(QPointF(end, areas.curve.top()), QPointF(end, areas.plot.bottom() + 1));
        }
        paintRange(xOf(shown.marked->from), xOf(shown.marked->to), colour);
    }
    painter.setClipping(false);
}

void SelectionPass::paintCurrent() const {
    if (!shown.current) {
        return;
    }
    constexpr double arrow = 14;
    painter.setClipRect(areas.plot.united(areas.curve));
    const double left = xOf(view.axis.startOf(*shown.current));
    const double right = std::max(xOf(view.axis.endOf(*shown.current)), left + 1);
    const QColor colour = currentColour(palette);
    paintRange(left, right, colour);
    painter.setPen(QPen(colour, 2));
    painter.drawLine(QPointF(left, areas.curve.top()), QPointF(left, areas.plot.bottom() + 1));
    paintCurrentMark(painter, QRectF(left, areas.curve.top(), arrow, arrow), palette);
    painter.setClipping(false);
}

}  // namespace

PlanAreas PlanAreas::of(const QSize& size, const QFontMetrics& metrics) {
    const int left = metrics.horizontalAdvance(QStringLiteral("1023.9 MiB")) + labelMargin;
    const int width = std::max(size.width() - left - areaGap, 1);
    const int top = curveHeight + 2 * areaGap;
    return {.curve = {left, areaGap, width, curveHeight},
            .plot = {left, top, width, std::max(size.height() - top - metrics.height() - areaGap, 1)}};
}

void PlanPainter::makePlot(const PlanShown& shown, const PlanAreas& areas, const QPainter& painter,
                           const QColor& ground) {
    const PlanContent& content = shown.content;
    const inspector::PlanPlot plot{
        .timeline = content.timeline(),
        .arena = content.arena(),
        .axis = shown.window.axis,
        .extent = content.extent(),
        .frame = {.area = boxOf(areas.plot),
                  .part = shown.window.part(),
                  .lineHeight = static_cast<double>(painter.fontMetrics().height())},
        .curve = boxOf(areas.curve)};
    below = {};
    plot.addAxes(below);
    plot.addCurve(below);
    boxes = planImage(shown.window, content.boxes(), paintedColours(shown, ground),
                      painter.device()->devicePixelRatioF());
    above = {};
    for (const inspector::PlanBox& box : content.boxes()) {
        // Boxes are sorted by size, largest first, and no lifetime exceeds the axis.
        if (static_cast<double>(box.bytes) / shown.window.y.perPixel() < plot.frame.lineHeight) {
            break;
        }
        if (shown.window.shows(box) && (box.tensor >= shown.matches.size() || shown.matches[box.tensor])) {
            plot.addLabel(above, box, shown.shades.tensors[box.tensor]);
        }
    }
    plot.addPeak(above);
}

void PlanPainter::paint(QPainter& painter, const PlanShown& shown, const PlanAreas& areas,
                        const QPalette& palette) {
    if (boxes.isNull()) {
        makePlot(shown, areas, painter, palette.color(QPalette::Base));
    }
    paintScene(painter, below, palette);
    painter.drawImage(areas.plot.topLeft(), boxes);
    paintScene(painter, above, palette);
    const SelectionPass selection(painter, shown, areas, palette);
    painter.setClipRect(areas.plot);
    selection.paintOutline(shown.content.boxOf(shown.hovered), 1);
    selection.paintOutline(shown.content.boxOf(shown.tensor), 3);
    selection.paintMarks();
    selection.paintCurrent();
}

}  // namespace et::visualizers

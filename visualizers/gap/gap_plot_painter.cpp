#include "visualizers/gap/gap_plot_painter.h"

#include "inspector/plot/axis.h"
#include "visualizers/gap/gap_model.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>

namespace et::visualizers {

namespace {

constexpr int plotEdge = 6;
constexpr int tickRoom = 30;  // pixels between grid lines
constexpr int numberRoom = 60;
constexpr double largestMark = 4;  // radius
constexpr double smallestMark = 1.5;
constexpr double ringGap = 2.5;  // gap between a mark and its ring
constexpr int palestAlpha = 45;
constexpr int stemAlpha = 120;
constexpr int gridAlpha = 70;
constexpr int currentAlpha = 60;

QColor withAlpha(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// One painting.
class GapPlotPass {
  public:
    GapPlotPass(QPainter& on, const GapPlotContent& of, const QPalette& colours)
        : painter(on), content(of), palette(colours), metrics(on.fontMetrics()) {}

    void paintGrid() const;
    void paintCurrent() const;
    void paintGlowing() const;
    void paintSeries(std::size_t series) const;
    void paintDivergence() const;
    void paintLegend() const;
    void paintRowNumbers() const;

  private:
    void paintMark(std::size_t row, std::size_t series) const;

    QPainter& painter;
    const GapPlotContent& content;
    const QPalette& palette;
    QFontMetrics metrics;
};

void GapPlotPass::paintGrid() const {
    const QRectF area = content.area;
    const int letters = metrics.height();
    const int max = std::max(static_cast<int>(area.height()) / tickRoom, 1);
    std::optional<double> before;  // vertical position of the previous label
    for (const GapAxis::Tick& tick : content.axis.ticks(max)) {
        const double y = area.bottom() - tick.place * area.height();
        painter.setPen(withAlpha(palette.color(QPalette::Text), gridAlpha));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (before && std::abs(*before - y) < letters) {
            continue;  // labels would overlap on a low plot
        }
        before = y;
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(QRectF(0, y - letters / 2.0, area.left() - plotEdge, letters),
                         Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
}

void GapPlotPass::paintCurrent() const {
    if (content.chosen) {
        const QRectF area = content.area;
        const double left = content.xOf(static_cast<double>(*content.chosen));
        const QRectF band(left, area.top(), std::max(content.spacing(), 2.0), area.height());
        painter.fillRect(band & area, withAlpha(palette.color(QPalette::Highlight), currentAlpha));
    }
}

// Frames the item under the pointer and replaces the legend text with its numbers.
void GapPlotPass::paintGlowing() const {
    if (!content.glowing || *content.glowing >= content.rowCount()) {
        return;
    }
    const QRectF area = content.area;
    const double left = content.xOf(static_cast<double>(*content.glowing));
    const QRectF band(left, area.top(), std::max(content.spacing(), 2.0), area.height());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.color(QPalette::Highlight), 1));
    if (area.intersects(band)) {
        painter.drawRect((band & area).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const QString text = content.lineOf(*content.glowing);
    const double width = std::min<double>(metrics.horizontalAdvance(text) + 2 * plotEdge, area.width());
    const QRectF label(area.right() - width, plotEdge / 2.0, width, metrics.height() + plotEdge);
    painter.fillRect(label, palette.color(QPalette::ToolTipBase));
    painter.setPen(palette.color(QPalette::ToolTipText));
    painter.drawText(label.adjusted(plotEdge, 0, -plotEdge, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideMiddle, static_cast<int>(width) - 2 * plotEdge));
}

// Draws a stem from the bottom with a mark at its end.
void GapPlotPass::paintSeries(std::size_t series) const {
    const QRectF area = content.area;
    const QColor colour = meaningColour(content.quantity->series[series].meaning, palette);
    const auto [first, last] = content.visibleRows();
    const double width = std::clamp(content.spacing() / 6, 1.0, 3.0);
    for (std::size_t row = first; row < last; ++row) {
        if (const auto mark = content.markOf(row, series)) {
            painter.setPen(QPen(withAlpha(colour, content.isFull(row) ? stemAlpha : palestAlpha), width));
            painter.drawLine(QPointF(mark->x(), area.bottom()), *mark);
        }
    }
    for (std::size_t row = first; row < last; ++row) {
        paintMark(row, series);
    }
}

void GapPlotPass::paintMark(std::size_t row, std::size_t series) const {
    const auto mark = content.markOf(row, series);
    if (!mark) {
        return;
    }
    const inspector::GapReportRow& shown = content.report->rows[row];
    const double radius = std::clamp(content.spacing() / 3, smallestMark, largestMark);
    const QColor colour = withAlpha(meaningColour(content.quantity->series[series].meaning, palette),
                                    content.isFull(row) ? 255 : palestAlpha);
    const bool diverges = shown.own && shown.own->diverges && content.isFull(row);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    if (shown.place == inspector::GapLevel::Instruction && !shown.backend.empty()) {
        painter.drawRect(QRectF(mark->x() - radius, mark->y() - radius, 2 * radius, 2 * radius));
    } else {
        painter.drawEllipse(*mark, radius, radius);
    }
    if (diverges && series + 1 == content.places.size()) {
        painter.setPen(QPen(meaningColour(inspector::format::Meaning::Error, palette), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(*mark, radius + ringGap, radius + ringGap);
    }
}

void GapPlotPass::paintDivergence() const {
    if (!content.report->firstDivergence) {
        return;
    }
    const QRectF area = content.area;
    const std::size_t row = content.report->firstDivergence->row;
    const double x = content.xOf(static_cast<double>(row) + 0.5);
    if (x < area.left() || x > area.right()) {
        return;
    }
    painter.setPen(QPen(meaningColour(inspector::format::Meaning::Error, palette), 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QString text =
        QStringLiteral("first divergence: %1").arg(visualizers::operatorText(content.report->rows[row]));
    const int letters = metrics.height();
    const double width = metrics.horizontalAdvance(text) + plotEdge;
    const double left =
        x + plotEdge + width > area.right() ? std::max(x - plotEdge - width, area.left()) : x + plotEdge;
    const QRectF label(left, area.top(), width, letters);
    painter.fillRect(label, withAlpha(palette.color(QPalette::Base), 200));
    painter.setPen(meaningColour(inspector::format::Meaning::Error, palette));
    painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void GapPlotPass::paintRowNumbers() const {
    const QRectF area = content.area;
    const double step =
        inspector::plot::roundStep(std::max(numberRoom / std::max(content.spacing(), 1e-6), 1.0));
    const auto [first, last] = content.visibleRows();
    const auto every = static_cast<std::size_t>(step);
    painter.setPen(palette.color(QPalette::Text));
    for (std::size_t row = (first + every - 1) / every * every; row < last; row += every) {
        const double x = content.xOf(static_cast<double>(row) + 0.5);
        const QRectF place(x - numberRoom / 2.0, area.bottom() + 2, numberRoom, metrics.height());
        if (place.right() <= area.right() + plotEdge && x >= area.left()) {
            painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, QString::number(row));
        }
    }
}

void GapPlotPass::paintLegend() const {
    const int letters = metrics.height();
    double x = content.area.left();
    for (const GapSeries& series : content.quantity->series) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(meaningColour(series.meaning, palette));
        painter.drawEllipse(QPointF(x + largestMark, plotEdge + letters / 2.0), largestMark, largestMark);
        x += 3 * largestMark;
        painter.setPen(palette.color(QPalette::Text));
        const double width = metrics.horizontalAdvance(series.name) + 3 * plotEdge;
        painter.drawText(QRectF(x, plotEdge, width, letters), Qt::AlignLeft | Qt::AlignVCenter, series.name);
        x += width;
    }
    const QString order = QStringLiteral("operators in execution order; higher is worse");
    const double room = content.area.right() - x;
    if (room > metrics.horizontalAdvance(order)) {
        painter.setPen(palette.color(QPalette::PlaceholderText));
        painter.drawText(QRectF(x, plotEdge, room, letters), Qt::AlignRight | Qt::AlignVCenter, order);
    }
}

}  // namespace

void paintGapPlot(QPainter& painter, const GapPlotContent& content, const QPalette& palette) {
    const GapPlotPass pass(painter, content, palette);
    pass.paintGrid();
    pass.paintCurrent();
    painter.setRenderHint(QPainter::Antialiasing);
    pass.paintDivergence();
    for (std::size_t series = 0; series < content.places.size(); ++series) {
        pass.paintSeries(series);
    }
    pass.paintRowNumbers();
    pass.paintLegend();
    pass.paintGlowing();
}

}  // namespace et::visualizers

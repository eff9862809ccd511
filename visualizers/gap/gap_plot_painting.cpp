// How a gap is painted.
#include "visualizers/gap/gap_model.h"
#include "visualizers/gap/gap_plot.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int edge = 6;
constexpr int widestTickLetters = 6;
constexpr int tickRoom = 30;  // pixels between the lines of the grid
constexpr int numberRoom = 60;
constexpr double largestMark = 4;  // radius
constexpr double smallestMark = 1.5;
constexpr double ringGap = 2.5;  // from a mark to its ring
constexpr int palestAlpha = 45;
constexpr int stemAlpha = 120;
constexpr int gridAlpha = 70;
constexpr int currentAlpha = 60;

QColor withAlpha(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// 1, 2 or 5 times a power of ten.
int roundNumber(double least) {
    int decade = 1;
    while (true) {
        for (const int digit : {1, 2, 5}) {
            if (digit * decade >= least) {
                return digit * decade;
            }
        }
        decade *= 10;
    }
}

}  // namespace

QRectF GapPlot::plotArea() const {
    const QFontMetrics metrics = fontMetrics();
    const int left = metrics.averageCharWidth() * widestTickLetters + 2 * edge;
    return QRectF(rect()).adjusted(left, metrics.height() + 2 * edge, -edge, -metrics.height() - edge);
}

std::pair<std::size_t, std::size_t> GapPlot::visibleRows() const {
    const auto first = static_cast<std::size_t>(std::max(window.from(), 0.0));
    const auto last = static_cast<std::size_t>(std::ceil(window.to()));
    return {first, std::min(last, rowCount())};
}

void GapPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (rowCount() == 0) {
        return;
    }
    paintGrid(painter);
    paintCurrent(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintDivergence(painter);
    for (std::size_t series = 0; series < places.size(); ++series) {
        paintSeries(painter, series);
    }
    paintPlaces(painter);
    paintLegend(painter);
}

void GapPlot::paintGrid(QPainter& painter) const {
    const QRectF area = plotArea();
    const int letters = fontMetrics().height();
    const int most = std::max(static_cast<int>(area.height()) / tickRoom, 1);
    for (const GapAxis::Tick& tick : axis.ticks(most)) {
        const double y = area.bottom() - tick.place * area.height();
        painter.setPen(withAlpha(palette().color(QPalette::Text), gridAlpha));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRectF(0, y - letters / 2.0, area.left() - edge, letters),
                         Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
}

void GapPlot::paintCurrent(QPainter& painter) const {
    if (chosen) {
        const QRectF area = plotArea();
        const double left = xOf(static_cast<double>(*chosen));
        const QRectF band(left, area.top(), std::max(spacing(), 2.0), area.height());
        painter.fillRect(band & area, withAlpha(palette().color(QPalette::Highlight), currentAlpha));
    }
}

// A stem from the ground and a mark at its end.
void GapPlot::paintSeries(QPainter& painter, std::size_t series) const {
    const QRectF area = plotArea();
    const QColor colour(quantity->series[series].colour);
    const auto [first, last] = visibleRows();
    const double width = std::clamp(spacing() / 6, 1.0, 3.0);
    for (std::size_t row = first; row < last; ++row) {
        if (const auto mark = markOf(row, series)) {
            painter.setPen(QPen(withAlpha(colour, isFull(row) ? stemAlpha : palestAlpha), width));
            painter.drawLine(QPointF(mark->x(), area.bottom()), *mark);
        }
    }
    for (std::size_t row = first; row < last; ++row) {
        paintMark(painter, row, series);
    }
}

void GapPlot::paintMark(QPainter& painter, std::size_t row, std::size_t series) const {
    const auto mark = markOf(row, series);
    if (!mark) {
        return;
    }
    const inspector::GapReportRow& shown = report->rows[row];
    const double radius = std::clamp(spacing() / 3, smallestMark, largestMark);
    const QColor colour = withAlpha(QColor(quantity->series[series].colour), isFull(row) ? 255 : palestAlpha);
    const bool diverges = shown.own && shown.own->diverges && isFull(row);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    if (shown.place == inspector::GapPlace::Instruction && !shown.backend.empty()) {
        painter.drawRect(QRectF(mark->x() - radius, mark->y() - radius, 2 * radius, 2 * radius));
    } else {
        painter.drawEllipse(*mark, radius, radius);
    }
    if (diverges && series + 1 == places.size()) {
        painter.setPen(QPen(QColor(divergenceColour), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(*mark, radius + ringGap, radius + ringGap);
    }
}

void GapPlot::paintDivergence(QPainter& painter) const {
    if (!report->firstDivergence) {
        return;
    }
    const QRectF area = plotArea();
    const std::size_t row = report->firstDivergence->row;
    const double x = xOf(static_cast<double>(row) + 0.5);
    if (x < area.left() || x > area.right()) {
        return;
    }
    painter.setPen(QPen(QColor(divergenceColour), 1, Qt::DashLine));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const QString text = tr("first divergence: %1").arg(operatorText(report->rows[row]));
    const int letters = fontMetrics().height();
    const double width = fontMetrics().horizontalAdvance(text) + edge;
    const double left = x + edge + width > area.right() ? std::max(x - edge - width, area.left()) : x + edge;
    const QRectF label(left, area.top(), width, letters);
    painter.fillRect(label, withAlpha(palette().color(QPalette::Base), 200));
    painter.setPen(QColor(divergenceColour));
    painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void GapPlot::paintPlaces(QPainter& painter) const {
    const QRectF area = plotArea();
    const int step = roundNumber(std::max(numberRoom / std::max(spacing(), 1e-6), 1.0));
    const auto [first, last] = visibleRows();
    const auto whole = static_cast<std::size_t>(step);
    painter.setPen(palette().color(QPalette::Text));
    for (std::size_t row = (first + whole - 1) / whole * whole; row < last; row += whole) {
        const double x = xOf(static_cast<double>(row) + 0.5);
        const QRectF place(x - numberRoom / 2.0, area.bottom() + 2, numberRoom, fontMetrics().height());
        if (place.right() <= width() && x >= area.left()) {
            painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, QString::number(row));
        }
    }
}

void GapPlot::paintLegend(QPainter& painter) const {
    const int letters = fontMetrics().height();
    double x = plotArea().left();
    for (const GapSeries& series : quantity->series) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(series.colour));
        painter.drawEllipse(QPointF(x + largestMark, edge + letters / 2.0), largestMark, largestMark);
        x += 3 * largestMark;
        painter.setPen(palette().color(QPalette::Text));
        const double width = fontMetrics().horizontalAdvance(series.name) + 3 * edge;
        painter.drawText(QRectF(x, edge, width, letters), Qt::AlignLeft | Qt::AlignVCenter, series.name);
        x += width;
    }
    const QString order = tr("operators in execution order; worse is higher");
    const double room = plotArea().right() - x;
    if (room > fontMetrics().horizontalAdvance(order)) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(QRectF(x, edge, room, letters), Qt::AlignRight | Qt::AlignVCenter, order);
    }
}

}  // namespace et::visualizers

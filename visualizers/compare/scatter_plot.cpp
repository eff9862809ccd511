#include "visualizers/compare/scatter_plot.h"

#include "inspector/comparison/readable_times.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int scatterLetters = 36;
constexpr double scatterPoint = 3.5;
constexpr double scatterReach = 8;
constexpr double scatterPad = 6;

using inspector::TimeVerdict;
using inspector::format::Meaning;

}  // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : TipWidget(parent) {
    setAccessibleName(QStringLiteral("A against B"));
}

void ScatterPlot::show(const ComparisonModel& model, std::size_t method) {
    clear();
    const auto* const pair = model.comparison();
    if (pair == nullptr || method >= pair->methods.size()) {
        return;
    }
    unit = model.timeScale();
    const auto& rows = pair->methods[method].rows;
    std::size_t slower = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double a = model.inUnit(rows[i].test.medianA);
        const double b = model.inUnit(rows[i].test.medianB);
        if (a > 0 && b > 0) {  // both have a logarithm
            points.push_back({.row = i,
                              .a = a,
                              .b = b,
                              .verdict = rows[i].test.verdict,
                              .text = QStringLiteral("%1: A %2, B %3")
                                          .arg(toQString(inspector::readableName(rows[i].shown())),
                                               timeText(a, unit), timeText(b, unit))});
            slower += rows[i].test.verdict == TimeVerdict::Slower ? 1U : 0U;
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto [least, most] = std::minmax({points[i].a, points[i].b});
        low = i == 0 ? least : std::min(low, least);
        high = i == 0 ? most : std::max(high, most);
    }
    low /= 1.2;
    high *= 1.2;
    setAccessibleDescription(
        QStringLiteral("%1 operators, %2 of them slower in B").arg(points.size()).arg(slower));
    update();
}

void ScatterPlot::clear() {
    points.clear();
    low = 1;
    high = 10;
    setAccessibleDescription({});
    update();
}

QSize ScatterPlot::sizeHint() const {
    const int side = fontMetrics().averageCharWidth() * scatterLetters;
    return {side, side};
}

QSize ScatterPlot::minimumSizeHint() const {
    return sizeHint() / 2;
}

QRectF ScatterPlot::area() const {
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(scatterPad, line + scatterPad, -scatterPad, -2 * line - scatterPad);
}

double ScatterPlot::share(double time) const {
    return std::log(time / low) / std::log(high / low);
}

QPointF ScatterPlot::placeOf(std::size_t point) const {
    const QRectF plot = area();
    return {plot.left() + share(points[point].a) * plot.width(),
            plot.bottom() - share(points[point].b) * plot.height()};
}

std::optional<std::size_t> ScatterPlot::rowAt(QPointF at) const {
    std::optional<std::size_t> nearest;
    double least = scatterReach;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF away = placeOf(i) - at;
        if (const double distance = std::hypot(away.x(), away.y()); distance < least) {
            least = distance;
            nearest = points[i].row;
        }
    }
    return nearest;
}

void ScatterPlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot = area();
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(plot);
    painter.drawLine(plot.bottomLeft(), plot.topRight());
    painter.setPen(palette().color(QPalette::WindowText));
    const int line = fontMetrics().height();
    painter.drawText(QRect(0, 0, width(), line), Qt::AlignLeft,
                     QStringLiteral("B, upwards: above the line is slower"));
    if (points.empty()) {
        painter.drawText(plot, Qt::AlignCenter, QStringLiteral("No operator occurs in both traces."));
        return;
    }
    const QRectF below(plot.left(), plot.bottom() + 2, plot.width(), line);
    painter.drawText(below, Qt::AlignLeft, timeText(low, unit));
    painter.drawText(below, Qt::AlignRight, timeText(high, unit));
    painter.drawText(below.translated(0, line), Qt::AlignHCenter, QStringLiteral("A, both logarithmic"));
    const QColor plain = meaningColour(Meaning::Idle, palette());
    const QColor slower = meaningColour(Meaning::Error, palette());
    const QColor faster = meaningColour(Meaning::Kernel, palette());
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const TimeVerdict verdict = points[i].verdict;
        painter.setBrush(verdict == TimeVerdict::Slower   ? slower
                         : verdict == TimeVerdict::Faster ? faster
                                                          : plain);
        painter.drawEllipse(placeOf(i), scatterPoint, scatterPoint);
    }
}

void ScatterPlot::mousePressEvent(QMouseEvent* event) {
    if (const auto row = rowAt(event->position())) {
        emit rowChosen(*row);
    }
}

QString ScatterPlot::tipAt(QPoint at) const {
    const auto row = rowAt(at);
    const auto found = std::ranges::find_if(points, [&](const Point& each) { return row == each.row; });
    return found == points.end() ? QString() : found->text;
}

}  // namespace et::visualizers

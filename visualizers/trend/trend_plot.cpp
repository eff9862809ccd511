#include "visualizers/trend/trend_plot.h"

#include "inspector/plot/axis.h"
#include "visualizers/toolkit/change_colour.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/trend/trend_rows.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int trendLines = 9;
constexpr int fewestTrendLines = 6;
constexpr int trendLetters = 70;
constexpr int trendValueLetters = 12;
constexpr double trendPoint = 2.5;
constexpr double chosenTrendPoint = 5;
constexpr double trendGridLines = 4;  // about
constexpr double emptyShare = 0.12;   // margin above and below, relative to the range

}  // namespace

TrendPlot::TrendPlot(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("trendPlot"));
    setAccessibleName(QStringLiteral("Times by commit"));
    setFocusPolicy(Qt::StrongFocus);
}

void TrendPlot::setGroup(std::shared_ptr<const inspector::Trend> of, std::size_t group) {
    trend = std::move(of);
    shown = group;
    operation.reset();
    showRange();
}

void TrendPlot::setOperator(std::optional<std::size_t> index) {
    operation = index;
    showRange();
}

/// Fits the axis to the measurements: a change of a few percent would be invisible on an axis that starts at
/// 0.
void TrendPlot::showRange() {
    levels = inspector::levelsOf(*trend, shown, operation);
    std::optional<std::pair<double, double>> range;
    for (std::size_t i = 0; i < data().points.size(); ++i) {
        const double time = timeOf(i);
        if (std::isfinite(time)) {
            range = range ? std::pair(std::min(range->first, time), std::max(range->second, time))
                          : std::pair(time, time);
        }
    }
    const auto [low, high] = range.value_or(std::pair(0.0, 1.0));
    const double spare = std::max((high - low) * emptyShare, std::max(high, 1.0) * 1e-3);
    least = std::max(low - spare, 0.0);
    most = high + spare;
    choose(std::nullopt);
}

void TrendPlot::choose(std::optional<std::size_t> point) {
    chosen = point;
    setAccessibleDescription(point ? describe(*point) : summary());
    update();
}

double TrendPlot::timeOf(std::size_t point) const {
    return operation ? data().operators[*operation].times[point] : data().points[point].total;
}

QString TrendPlot::numberText(double time) const {
    return timeText(time, data().cycles ? inspector::TimeScale::Cycles : inspector::TimeScale::Nanoseconds);
}

QString TrendPlot::summary() const {
    if (trend == nullptr || levels.empty()) {
        return {};
    }
    const QString what =
        operation ? QStringLiteral("%1 · %2").arg(trendGroupName(*trend, shown),
                                                  toQString(text(data().operators[*operation].key)))
                  : trendGroupName(*trend, shown);
    QString now = QStringLiteral("%1: %2 now").arg(what, numberText(levels.back().time));
    if (levels.size() > 1) {
        now += QStringLiteral(", %1 since %2")
                   .arg(changeText(levels[levels.size() - 2].time, levels.back().time),
                        trendPointName(data().points[levels.back().from]));
    }
    return now;
}

QRectF TrendPlot::area() const {
    const int line = fontMetrics().height();
    const double left = fontMetrics().averageCharWidth() * trendValueLetters;
    return {QPointF(left, line + 6), QPointF(width() - 12, height() - line - 6)};
}

double TrendPlot::xOf(std::size_t point) const {
    const QRectF room = area();
    const std::size_t steps = std::max<std::size_t>(data().points.size(), 2) - 1;
    return room.left() + static_cast<double>(point) / static_cast<double>(steps) * room.width();
}

double TrendPlot::yOf(double time) const {
    const QRectF room = area();
    return room.bottom() - (time - least) / (most - least) * room.height();
}

QPointF TrendPlot::placeOf(std::size_t point) const {
    return {xOf(point), yOf(timeOf(point))};
}

std::optional<std::size_t> TrendPlot::pointAt(double x) const {
    if (trend == nullptr || data().points.empty()) {
        return std::nullopt;
    }
    const double steps = static_cast<double>(data().points.size() - 1);
    const double share = (x - area().left()) / std::max(area().width(), 1.0);
    return static_cast<std::size_t>(std::clamp(std::round(share * steps), 0.0, steps));
}

QString TrendPlot::describe(std::size_t point) const {
    const inspector::TrendPoint& at = data().points[point];
    const double time = timeOf(point);
    const QString value = std::isfinite(time) ? numberText(time) : QStringLiteral("did not run");
    return QStringLiteral("%1: %2, %3, %4")
        .arg(trendPointName(at), value, toQString(at.measured),
             counted(at.measurements, QStringLiteral("1 measurement"), QStringLiteral("%1 measurements")));
}

QString TrendPlot::tipAt(QPoint at) const {
    const auto point = pointAt(at.x());
    return point ? describe(*point) : QString();
}

QSize TrendPlot::sizeHint() const {
    return {fontMetrics().averageCharWidth() * trendLetters, fontMetrics().height() * trendLines};
}

QSize TrendPlot::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * trendValueLetters * 2,
            fontMetrics().height() * fewestTrendLines};
}

void TrendPlot::paintAxis(QPainter& painter) const {
    const QRectF room = area();
    const int line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(room.left(), room.top() - line - 3, room.width(), line), Qt::AlignLeft,
                     fontMetrics().elidedText(chosen ? describe(*chosen) : summary(), Qt::ElideMiddle,
                                              static_cast<int>(room.width())));
    const double step = inspector::plot::roundStep((most - least) / trendGridLines);
    for (double value = std::ceil(least / step) * step; value <= most; value += step) {
        const double y = yOf(value);
        painter.setPen(palette().color(QPalette::Midlight));
        painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(0, y - line / 2.0, room.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                         numberText(value));
    }
    const QRectF below(room.left(), room.bottom() + 4, room.width(), line);
    painter.drawText(below, Qt::AlignLeft, trendPointName(data().points.front()));
    painter.drawText(below, Qt::AlignRight, trendPointName(data().points.back()));
}

/// Draws levels, and between them a line at the first point of the new level.
void TrendPlot::paintChanges(QPainter& painter) const {
    const QRectF room = area();
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const inspector::Level& level = levels[i];
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1.5));
        painter.drawLine(QPointF(xOf(level.from), yOf(level.time)),
                         QPointF(xOf(level.to - 1), yOf(level.time)));
        if (i == 0) {
            continue;
        }
        const double before = levels[i - 1].time;
        const double direction = level.time > before ? 1 : -1;  // a step of a few percent would hardly be
                                                                // visible
        painter.setPen(QPen(changeColour(direction, palette()), 2, Qt::DashLine));
        painter.drawLine(QPointF(xOf(level.from), room.top()), QPointF(xOf(level.from), room.bottom()));
        painter.setPen(palette().color(QPalette::WindowText));
        const QString label = changeText(before, level.time);
        const double width = fontMetrics().horizontalAdvance(label);
        const double left = std::min(xOf(level.from) + 4, room.right() - width);
        painter.drawText(QPointF(left, room.bottom() - 4), label);
    }
}

void TrendPlot::paintPoints(QPainter& painter) const {
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    for (std::size_t i = 0; i < data().points.size(); ++i) {
        if (std::isfinite(timeOf(i))) {
            const double radius = chosen == i ? chosenTrendPoint : trendPoint;
            painter.drawEllipse(placeOf(i), radius, radius);
        }
    }
}

void TrendPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (trend == nullptr || data().points.empty()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(painter);
    paintChanges(painter);
    paintPoints(painter);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TrendPlot::mousePressEvent(QMouseEvent* event) {
    const auto point = event->button() == Qt::LeftButton ? pointAt(event->position().x()) : std::nullopt;
    if (point) {
        choose(point);
        emit pointWanted(*point);
    }
}

void TrendPlot::keyPressEvent(QKeyEvent* event) {
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isArrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (trend == nullptr || data().points.empty() || (!isArrow && !(isReturn && chosen))) {
        TipWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = data().points.size() - 1;
    if (isReturn) {
        emit pointWanted(*chosen);
    } else if (event->key() == Qt::Key_Left) {
        choose(chosen ? *chosen - (*chosen > 0 ? 1 : 0) : last);
    } else {
        choose(chosen ? std::min(*chosen + 1, last) : 0);
    }
}

}  // namespace et::visualizers

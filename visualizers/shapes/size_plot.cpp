#include "visualizers/shapes/size_plot.h"

#include "inspector/format/quantities.h"
#include "inspector/plot/axis.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int sizePlotLines = 22;
constexpr int sizePlotLetters = 70;
constexpr int valueLetters = 12;
constexpr double sizePoint = 3;
constexpr double chosenPoint = 5;
constexpr double gridLines = 4;  // about
constexpr double timeShare = 0.58;

}  // namespace

SizePlot::SizePlot(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("sizePlot"));
    setAccessibleName(QStringLiteral("Time and memory over sizes"));
    setFocusPolicy(Qt::StrongFocus);
}

void SizePlot::setCurve(std::optional<SizeCurve> shown) {
    curve = std::move(shown);
    choose(std::nullopt);
}

QString SizePlot::summary() const {
    if (!curve) {
        return {};
    }
    const qint64 last = curve->points.back().size;
    if (!curve->linearUntil) {
        return QStringLiteral("%1: the time is not linear").arg(curve->dimension);
    }
    return *curve->linearUntil >= last
               ? QStringLiteral("%1: the time is linear up to %2").arg(curve->dimension).arg(last)
               : QStringLiteral("%1: the time is linear up to %2 of %3")
                     .arg(curve->dimension)
                     .arg(*curve->linearUntil)
                     .arg(last);
}

void SizePlot::choose(std::optional<std::size_t> point) {
    chosen = point;
    setAccessibleDescription(point ? describe(*point) : summary());
    update();
}

std::optional<double> SizePlot::valueOf(Of what, const SizePoint& point) {
    return what == Of::Time ? std::optional(point.nanoseconds) : point.bytes;
}

QString SizePlot::numberText(Of what, double value) {
    return what == Of::Time ? timeText(value, inspector::TimeScale::Nanoseconds)
                            : toQString(inspector::format::readableBytes(static_cast<std::uint64_t>(value)));
}

double SizePlot::largest(Of what) const {
    double most = 0;
    for (const SizePoint& each : curve->points) {
        most = std::max(most, valueOf(what, each).value_or(0));
    }
    return std::max(most, 1.0);
}

QRectF SizePlot::area(Of what) const {
    const int line = fontMetrics().height();
    const double left = fontMetrics().averageCharWidth() * valueLetters;
    const double middle = height() * timeShare;
    return what == Of::Time
               ? QRectF(QPointF(left, line + 6), QPointF(width() - 12, middle - 4))
               : QRectF(QPointF(left, middle + line + 4), QPointF(width() - 12, height() - line - 6));
}

double SizePlot::xOf(double size) const {
    const QRectF room = area(Of::Time);
    const auto first = static_cast<double>(curve->points.front().size);
    const auto last = static_cast<double>(curve->points.back().size);
    return room.left() + (size - first) / std::max(last - first, 1.0) * room.width();
}

double SizePlot::yOf(Of what, double value) const {
    const QRectF room = area(what);
    return room.bottom() - value / largest(what) * room.height();
}

QPointF SizePlot::placeOf(std::size_t point) const {
    const SizePoint& at = curve->points[point];
    return {xOf(static_cast<double>(at.size)), yOf(Of::Time, at.nanoseconds)};
}

std::optional<std::size_t> SizePlot::pointAt(double x) const {
    if (!curve) {
        return std::nullopt;
    }
    const auto distance = [&](const SizePoint& each) {
        return std::abs(xOf(static_cast<double>(each.size)) - x);
    };
    return static_cast<std::size_t>(std::ranges::min_element(curve->points, {}, distance) -
                                    curve->points.begin());
}

QString SizePlot::describe(std::size_t point) const {
    const SizePoint& at = curve->points[point];
    const QString time = QStringLiteral("%1 = %2: %3")
                             .arg(curve->dimension)
                             .arg(at.size)
                             .arg(numberText(Of::Time, at.nanoseconds));
    return at.bytes ? QStringLiteral("%1, %2 outside the plan").arg(time, numberText(Of::Memory, *at.bytes))
                    : time;
}

QString SizePlot::tipAt(QPoint at) const {
    const auto point = pointAt(at.x());
    return point ? describe(*point) : QString();
}

QSize SizePlot::sizeHint() const {
    return {fontMetrics().averageCharWidth() * sizePlotLetters, fontMetrics().height() * sizePlotLines};
}

void SizePlot::paintAxis(QPainter& painter, Of what) const {
    const QRectF room = area(what);
    const int line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(room.left(), room.top() - line - 3, room.width(), line), Qt::AlignLeft,
                     what == Of::Time ? QStringLiteral("time per execution · %1").arg(summary())
                                      : QStringLiteral("memory outside the plan"));
    const double most = largest(what);
    const double step = inspector::plot::roundStep(most / gridLines);
    for (double value = 0; value <= most; value += step) {
        const double y = yOf(what, value);
        painter.setPen(palette().color(value > 0 ? QPalette::Midlight : QPalette::Mid));
        painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(0, y - line / 2.0, room.left() - 6, line), Qt::AlignRight | Qt::AlignVCenter,
                         numberText(what, value));
    }
    if (what == Of::Memory) {
        const QRectF below(room.left(), room.bottom() + 4, room.width(), line);
        painter.drawText(below, Qt::AlignLeft,
                         QStringLiteral("%1 = %2").arg(curve->dimension).arg(curve->points.front().size));
        painter.drawText(below, Qt::AlignRight, QString::number(curve->points.back().size));
    }
}

/// Draws the line up to the end of its validity, and marks that end.
void SizePlot::paintLine(QPainter& painter) const {
    if (!curve->linearUntil) {
        return;
    }
    const QRectF room = area(Of::Time);
    const auto last = static_cast<double>(curve->points.back().size);
    const auto until = static_cast<double>(*curve->linearUntil);
    const auto at = [&](double size) {
        return QPointF(xOf(size), std::clamp(yOf(Of::Time, curve->base + curve->slope * size), room.top(),
                                             room.bottom()));
    };
    painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DashLine));
    painter.drawLine(at(static_cast<double>(curve->points.front().size)), at(last));
    if (until < last) {
        painter.setPen(QPen(palette().color(QPalette::PlaceholderText), 1, Qt::DotLine));
        painter.drawLine(QPointF(xOf(until), room.top()), QPointF(xOf(until), room.bottom()));
    }
}

void SizePlot::paintPoints(QPainter& painter, Of what) const {
    const QColor colour = palette().color(QPalette::Highlight);
    std::optional<QPointF> before;
    for (std::size_t i = 0; i < curve->points.size(); ++i) {
        const auto value = valueOf(what, curve->points[i]);
        if (!value) {
            continue;
        }
        const QPointF at(xOf(static_cast<double>(curve->points[i].size)), yOf(what, *value));
        painter.setPen(QPen(colour, 1.5));
        if (before) {
            painter.drawLine(*before, at);
        }
        before = at;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const double radius = chosen == i ? chosenPoint : sizePoint;
        painter.drawEllipse(at, radius, radius);
    }
}

void SizePlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (!curve) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Of what : {Of::Time, Of::Memory}) {
        paintAxis(painter, what);
        paintPoints(painter, what);
    }
    paintLine(painter);
    if (chosen) {
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(rect()).adjusted(0, 4, -14, 0), Qt::AlignRight | Qt::AlignTop,
                         describe(*chosen));
    }
}

void SizePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        choose(pointAt(event->position().x()));
    }
}

void SizePlot::keyPressEvent(QKeyEvent* event) {
    if (!curve || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)) {
        TipWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = curve->points.size() - 1;
    if (event->key() == Qt::Key_Left) {
        choose(chosen ? *chosen - (*chosen > 0 ? 1 : 0) : last);
    } else {
        choose(chosen ? std::min(*chosen + 1, last) : 0);
    }
}

}  // namespace et::visualizers

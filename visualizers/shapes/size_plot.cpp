#include "visualizers/shapes/size_plot.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace et::visualizers {

namespace plot = inspector::plot;

using inspector::format::Measure;

namespace {

constexpr int sizePlotLines = 22;
constexpr int sizePlotLetters = 70;
constexpr int valueLetters = 12;
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

QString SizePlot::numberText(Quantity quantity, double value) {
    return quantity == Quantity::Time
               ? timeText(value, inspector::TimeScale::Nanoseconds)
               : toQString(inspector::format::readableBytes(static_cast<std::uint64_t>(value)));
}

QRectF SizePlot::area(Quantity quantity) const {
    const int line = fontMetrics().height();
    const double left = fontMetrics().averageCharWidth() * valueLetters;
    const double middle = height() * timeShare;
    return quantity == Quantity::Time
               ? QRectF(QPointF(left, line + 6), QPointF(width() - 12, middle - 4))
               : QRectF(QPointF(left, middle + line + 4), QPointF(width() - 12, height() - 2 * line - 12));
}

plot::Curve SizePlot::makeCurve(Quantity quantity) const {
    const bool isTime = quantity == Quantity::Time;
    plot::Curve out{
        .note = isTime ? "time per execution · " + summary().toStdString() : "memory outside the plan",
        .axis = isTime ? std::string() : curve->dimension.toStdString(),
        .measure = isTime ? Measure::Nanoseconds : Measure::Bytes};
    for (const SizePoint& point : curve->points) {
        if (const auto value = isTime ? std::optional(point.nanoseconds) : point.bytes) {
            out.samples.push_back({.x = static_cast<double>(point.size), .y = *value});
        }
    }
    if (chosen) {
        out.chosen = static_cast<double>(curve->points[*chosen].size);
    }
    if (isTime && curve->linearUntil) {
        const qint64 last = curve->points.back().size;
        for (const qint64 end : {curve->points.front().size, last}) {
            const auto size = static_cast<double>(end);
            out.fit.push_back({.x = size, .y = curve->base + curve->slope * size});
        }
        if (*curve->linearUntil < last) {
            out.steps.push_back({.at = static_cast<double>(*curve->linearUntil)});
        }
    }
    return out;
}

plot::Scene SizePlot::scene() const {
    plot::Scene scene;
    for (const Quantity quantity : {Quantity::Time, Quantity::Memory}) {
        const QRectF bounds = area(quantity);
        plot::addCurve(
            scene,
            {.area = {.x = bounds.x(), .y = bounds.y(), .width = bounds.width(), .height = bounds.height()},
             .lineHeight = static_cast<double>(fontMetrics().height())},
            makeCurve(quantity));
    }
    return scene;
}

QPointF SizePlot::placeOf(std::size_t point) const {
    const plot::Point at = scene().items[point].at;
    return {at.x, at.y};
}

std::optional<std::size_t> SizePlot::pointAt(double x) const {
    if (!curve) {
        return std::nullopt;
    }
    const plot::Scene shown = scene();
    const std::span points(shown.items.data(), curve->points.size());
    const auto distance = [&](const plot::Item& each) { return std::abs(each.at.x - x); };
    return static_cast<std::size_t>(std::ranges::min_element(points, {}, distance) - points.begin());
}

QString SizePlot::describe(std::size_t point) const {
    const SizePoint& at = curve->points[point];
    const QString time = QStringLiteral("%1 = %2: %3")
                             .arg(curve->dimension)
                             .arg(at.size)
                             .arg(numberText(Quantity::Time, at.nanoseconds));
    return at.bytes
               ? QStringLiteral("%1, %2 outside the plan").arg(time, numberText(Quantity::Memory, *at.bytes))
               : time;
}

QString SizePlot::tipAt(QPoint at) const {
    const auto point = pointAt(at.x());
    return point ? describe(*point) : QString();
}

QSize SizePlot::sizeHint() const {
    return {fontMetrics().averageCharWidth() * sizePlotLetters, fontMetrics().height() * sizePlotLines};
}

void SizePlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (!curve) {
        return;
    }
    paintScene(painter, scene(), palette());
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

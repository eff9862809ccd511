#include "visualizers/debug/time_slider.h"

#include "visualizers/toolkit/debug_mark.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

constexpr int sideMargin = 10;
constexpr int barHeight = 12;
constexpr int markHeight = 9;
constexpr int paleBar = 50;
constexpr int paleOther = 28;

}  // namespace

TimeSlider::TimeSlider(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("debugTime"));
    setAccessibleName(QStringLiteral("Executions and instructions"));
    setFocusPolicy(Qt::StrongFocus);
    setLayoutDirection(Qt::LeftToRight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimeSlider::setExecutions(std::vector<std::int64_t> known) {
    executions = std::move(known);
    starts.assign(1, 0);
    for (const std::int64_t steps : executions) {
        starts.push_back(starts.back() + steps + 1);
    }
    if (executions.empty()) {
        starts.clear();
    }
    update();
}

void TimeSlider::setHits(std::vector<DebugHit> known) {
    marks = std::move(known);
    update();
}

void TimeSlider::setPosition(std::optional<Position> position) {
    if (std::exchange(current, position) != position) {
        update();
        speakValue(*this);
    }
}

std::int64_t TimeSlider::placeOf(const Position& position) const {
    const auto [execution, step] = position;
    if (starts.empty() || execution < 0 || execution >= std::ssize(executions)) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(execution);
    return starts[at] + std::clamp<std::int64_t>(step, 0, executions[at]);
}

TimeSlider::Position TimeSlider::positionOf(std::int64_t place) const {
    const auto after = std::ranges::upper_bound(starts, place);
    const auto at = std::clamp<std::ptrdiff_t>(after - starts.begin() - 1, 0, std::ssize(executions) - 1);
    return {at, place - starts[static_cast<std::size_t>(at)]};
}

QRectF TimeSlider::axisRect() const {
    return {sideMargin, static_cast<double>(markHeight + 2), std::max(width() - 2.0 * sideMargin, 1.0),
            barHeight};
}

double TimeSlider::xOf(const Position& position) const {
    const QRectF axis = axisRect();
    return axis.left() + axis.width() * static_cast<double>(placeOf(position)) /
                             static_cast<double>(std::max<std::int64_t>(total() - 1, 1));
}

std::optional<TimeSlider::Position> TimeSlider::positionAt(double x) const {
    if (total() == 0) {
        return std::nullopt;
    }
    const QRectF axis = axisRect();
    const double share = std::clamp((x - axis.left()) / axis.width(), 0.0, 1.0);
    return positionOf(static_cast<std::int64_t>(share * static_cast<double>(total() - 1) + 0.5));
}

QString TimeSlider::spokenValue() const {
    return current ? QStringLiteral("execution %1, step %2, %3 watchpoint hits")
                         .arg(current->first)
                         .arg(current->second)
                         .arg(marks.size())
                   : QString();
}

QSize TimeSlider::sizeHint() const {
    return {200, markHeight + barHeight + fontMetrics().height() + 6};
}

void TimeSlider::paintExecutions(QPainter& painter, const QRectF& axis) const {
    const int letters = fontMetrics().height();
    double free = axis.left();
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const double left = xOf({number, 0});
        const double right = i + 1 < executions.size() ? xOf({number + 1, 0}) : axis.right();
        QColor fill = palette().color(QPalette::Text);
        fill.setAlpha(i % 2 == 0 ? paleBar : paleOther);
        painter.fillRect(QRectF(left, axis.top(), std::max(right - left, 1.0), axis.height()), fill);
        const QString name = QString::number(i);
        const double wide = fontMetrics().horizontalAdvance(name);
        if (left >= free) {
            painter.setPen(palette().color(QPalette::Text));
            painter.drawText(QRectF(left, axis.bottom() + 1, wide + 1, letters), Qt::AlignLeft, name);
            free = left + wide + sideMargin;
        }
    }
}

void TimeSlider::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    const QRectF axis = axisRect();
    if (executions.empty()) {
        painter.fillRect(axis, palette().color(QPalette::AlternateBase));
        return;
    }
    paintExecutions(painter, axis);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(breakpointColour(palette()));
    double last = -1;
    for (const DebugHit& hit : marks) {
        const double x = xOf({hit.execution, hit.step});
        if (x - last >= 1) {  // many hits share a pixel
            painter.drawPolygon(QPolygonF{QPointF(x - 4, 0), QPointF(x + 4, 0), QPointF(x, markHeight)});
            last = x;
        }
    }
    if (const auto shown = dragged ? std::optional(positionOf(*dragged)) : current) {
        const double x = xOf(*shown);
        painter.setPen(QPen(palette().color(QPalette::Text), 1));
        painter.setBrush(currentColour(palette()));
        painter.drawRoundedRect(QRectF(x - 4, axis.top() - 3, 8, axis.height() + 6), 3, 3);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.drawRect(axis.adjusted(-2, -2, 2, 2));
    }
}

bool TimeSlider::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const auto at = positionAt(help->pos().x());
        QToolTip::showText(help->globalPos(),
                           at ? QStringLiteral("execution %1, step %2\nRed marks: a watchpoint held")
                                    .arg(at->first)
                                    .arg(at->second)
                              : QStringLiteral("Executions and instructions, once the method runs"),
                           this);
        return true;
    }
    return QWidget::event(event);
}

void TimeSlider::request(std::int64_t at) {
    if (total() == 0) {
        return;
    }
    const Position position = positionOf(std::clamp<std::int64_t>(at, 0, total() - 1));
    emit wanted(position.first, position.second);
}

void TimeSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && total() > 0) {
        dragged = placeOf(*positionAt(event->position().x()));
        update();
    }
}

void TimeSlider::mouseMoveEvent(QMouseEvent* event) {
    if (dragged) {
        dragged = placeOf(*positionAt(event->position().x()));
        update();
    }
}

void TimeSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && dragged) {
        request(*std::exchange(dragged, std::nullopt));
        update();
    }
}

void TimeSlider::keyPressEvent(QKeyEvent* event) {
    if (!current || total() == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const std::int64_t now = placeOf(*current);
    switch (event->key()) {
        case Qt::Key_Left:
            request(now - 1);
            return;
        case Qt::Key_Right:
            request(now + 1);
            return;
        case Qt::Key_PageUp:
            request(placeOf({std::max<std::int64_t>(current->first - 1, 0), 0}));
            return;
        case Qt::Key_PageDown:
            request(placeOf({std::min<std::int64_t>(current->first + 1, std::ssize(executions) - 1), 0}));
            return;
        case Qt::Key_Home:
            request(0);
            return;
        case Qt::Key_End:
            request(total() - 1);
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace et::visualizers

#include "visualizers/generate/rate_plot.h"

#include "inspector/plot/axis.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int rateLines = 8;
constexpr int rateLetters = 40;
constexpr double ratePoint = 2.5;
constexpr double rateSteps = 3;  // approximate number of grid lines

QString rateText(double rate) {
    return QString::number(rate, rate < 100 ? 'f' : 'g', rate < 100 ? 1 : 4);
}

QString wholeRate(double rate) {
    return QLocale::c().toString(rate, 'f', rate < 10 ? 1 : 0);
}

}  // namespace

RatePlot::RatePlot(GeneratedTokens& shown, QWidget* parent) : TipWidget(parent), source(shown) {
    setAccessibleName(QStringLiteral("Tokens per second over positions"));
    setFocusPolicy(Qt::StrongFocus);
    connect(&source, &GeneratedTokens::cleared, this, &RatePlot::rebuild);
    connect(&source, &GeneratedTokens::added, this, &RatePlot::rebuild);
    connect(&source, &GeneratedTokens::chosenChanged, this, qOverload<>(&QWidget::update));
}

double RatePlot::rateOf(std::size_t token) const {
    constexpr double perSecond = 1000;
    return perSecond / source.tokens()[token].milliseconds;
}

/// Processes only the newest token if one was added.
void RatePlot::rebuild() {
    const std::size_t count = source.tokens().size();
    if (count == 0) {
        points.clear();
        fastest = 0;
    } else if (source.isTimed(count - 1)) {
        points.push_back(count - 1);
        fastest = std::max(fastest, rateOf(count - 1));
    }
    setAccessibleDescription(figures());
    update();
}

QString RatePlot::figures() const {
    const double median = source.medianTime();
    return median <= 0 ? QString()
                       : QStringLiteral("median %1 tokens/s, %2 in the second half")
                             .arg(wholeRate(1000 / median), wholeRate([this] {
                                      double time = 0;
                                      const std::size_t half = points.size() / 2;
                                      for (std::size_t i = half; i < points.size(); ++i) {
                                          time += source.tokens()[points[i]].milliseconds;
                                      }
                                      return 1000 * static_cast<double>(points.size() - half) / time;
                                  }()));
}

QSize RatePlot::sizeHint() const {
    return {fontMetrics().averageCharWidth() * rateLetters * 2, fontMetrics().height() * rateLines};
}

QSize RatePlot::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * rateLetters, fontMetrics().height() * (rateLines - 3)};
}

QRectF RatePlot::area() const {
    const int line = fontMetrics().height();
    const int left = fontMetrics().horizontalAdvance(wholeRate(std::max(fastest, 100.0))) + 10;
    return QRectF(rect()).adjusted(left, line + 6, -8, -line - 4);
}

std::optional<QPointF> RatePlot::placeOf(std::size_t token) const {
    if (points.empty() || !source.isTimed(token)) {
        return std::nullopt;
    }
    const QRectF room = area();
    const auto first = static_cast<double>(source.tokens()[points.front()].position);
    const auto last = static_cast<double>(source.tokens()[points.back()].position);
    const double along =
        (static_cast<double>(source.tokens()[token].position) - first) / std::max(last - first, 1.0);
    return QPointF(room.left() + along * room.width(),
                   room.bottom() - rateOf(token) / std::max(fastest, 1e-300) * room.height());
}

std::optional<std::size_t> RatePlot::tokenAt(double x) const {
    const auto distance = [&](std::size_t token) { return std::abs(placeOf(token)->x() - x); };
    const auto nearest = std::ranges::min_element(points, {}, distance);
    return nearest == points.end() ? std::nullopt : std::optional(*nearest);
}

void RatePlot::paintAxis(QPainter& painter) const {
    const QRectF room = area();
    const int line = fontMetrics().height();
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(4, 0, width() - 8, line + 2), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(QStringLiteral("tokens/s · %1").arg(figures()), Qt::ElideRight,
                                              width() - 8));
    const double step = inspector::plot::roundStep(fastest / rateSteps);
    for (double rate = 0; rate <= fastest; rate += step) {
        const double y = room.bottom() - rate / fastest * room.height();
        painter.setPen(palette().color(rate > 0 ? QPalette::Midlight : QPalette::Mid));
        painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRectF(0, y - line / 2.0, room.left() - 5, line), Qt::AlignRight | Qt::AlignVCenter,
                         wholeRate(rate));
    }
    const QRectF below(room.left(), room.bottom() + 3, room.width(), line);
    painter.drawText(below, Qt::AlignLeft,
                     QStringLiteral("position %1").arg(source.tokens()[points.front()].position));
    painter.drawText(below, Qt::AlignRight, QString::number(source.tokens()[points.back()].position));
}

void RatePlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (points.empty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect(), Qt::AlignCenter,
                         QStringLiteral("Tokens per second, shown during generation"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(painter);
    if (const auto chosen = source.chosen() ? placeOf(*source.chosen()) : std::nullopt) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawLine(QPointF(chosen->x(), area().top()), QPointF(chosen->x(), area().bottom()));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    for (const std::size_t token : points) {
        const bool isChosen = token == source.chosen();
        painter.drawEllipse(*placeOf(token), isChosen ? ratePoint * 2 : ratePoint,
                            isChosen ? ratePoint * 2 : ratePoint);
    }
}

QString RatePlot::tipAt(QPoint at) const {
    const auto token = tokenAt(at.x());
    return token ? QStringLiteral("%1 tokens/s · %2").arg(rateText(rateOf(*token)), source.describe(*token))
                 : QString();
}

void RatePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        if (const auto token = tokenAt(event->position().x())) {
            source.choose(token);
        }
    }
}

void RatePlot::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        source.selectAdjacent(event->key() == Qt::Key_Left ? -1 : 1);
        return;
    }
    TipWidget::keyPressEvent(event);
}

}  // namespace et::visualizers

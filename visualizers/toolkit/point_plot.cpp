#include "visualizers/toolkit/point_plot.h"

#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/text.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <span>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr int pointPlotLines = 9;
constexpr int fewestLines = 6;
constexpr int pointPlotLetters = 70;
constexpr int valueLetters = 12;
constexpr double rightMargin = 12;
constexpr double aboveFrame = 14;
constexpr double belowFrame = 8;

}  // namespace

PointPlot::PointPlot(QWidget* parent) : TipWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
}

plot::Frame PointPlot::frameBetween(double top, double bottom) const {
    const double line = fontMetrics().height();
    const double left = fontMetrics().averageCharWidth() * valueLetters;
    return {.area = {.x = left,
                     .y = top + line + aboveFrame,
                     .width = std::max(width() - left - rightMargin, 1.0),
                     .height = std::max(bottom - top - 2 * line - aboveFrame - belowFrame, 1.0)},
            .lineHeight = line};
}

QPointF PointPlot::placeOf(std::size_t item) const {
    const plot::Point at = scene().items[item].at;
    return {at.x, at.y};
}

std::optional<std::size_t> PointPlot::itemAt(const QPointF& at) const {
    if (itemCount() == 0) {
        return std::nullopt;
    }
    const plot::Scene shown = scene();
    const std::span items(shown.items.data(), itemCount());
    const auto distance = [&](const plot::Item& item) { return std::abs(item.at.x - at.x()); };
    return static_cast<std::size_t>(std::ranges::min_element(items, {}, distance) - items.begin());
}

QString PointPlot::tipAt(QPoint at) const {
    const auto item = itemAt(at);
    return item ? toQStringLines(scene().items[*item].tip) : QString();
}

QSize PointPlot::sizeHint() const {
    return {fontMetrics().averageCharWidth() * pointPlotLetters, fontMetrics().height() * pointPlotLines};
}

QSize PointPlot::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * valueLetters * 2, fontMetrics().height() * fewestLines};
}

void PointPlot::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    paintScene(painter, scene(), palette());
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PointPlot::mousePressEvent(QMouseEvent* event) {
    const auto item = event->button() == Qt::LeftButton ? itemAt(event->position()) : std::nullopt;
    if (item) {
        clickItem(*item);
    }
}

void PointPlot::keyPressEvent(QKeyEvent* event) {
    const bool isLeft = event->key() == Qt::Key_Left;
    if (itemCount() == 0 || (!isLeft && event->key() != Qt::Key_Right)) {
        TipWidget::keyPressEvent(event);
        return;
    }
    const std::size_t last = itemCount() - 1;
    const auto chosen = chosenPoint();
    if (isLeft) {
        chooseItem(chosen ? *chosen - (*chosen > 0 ? 1 : 0) : last);
    } else {
        chooseItem(chosen ? std::min(*chosen + 1, last) : 0);
    }
}

}  // namespace et::visualizers

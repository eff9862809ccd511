#include "visualizers/toolkit/plot_widget.h"

#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr double leastPlotPart = 0.01;  // minimum visible part of the plot
constexpr double partAroundItem = 0.25;
constexpr double itemReach = 4;  // pixels
constexpr double itemRing = 3.5;
constexpr double plotMargin = 12;

}  // namespace

PlotWidget::PlotWidget(const QString& itemName, QString widest, QWidget* parent)
    : ZoomPanWidget({.upDown = true, .chosenThing = itemName, .nextThing = itemName}, parent),
      widestLabel(std::move(widest)) {
}

plot::Frame PlotWidget::frameIn(const QRectF& picture, const QFontMetrics& metrics) const {
    const double letters = metrics.height();
    const double left = metrics.horizontalAdvance(widestLabel) + plotMargin;
    return {.area = {.x = picture.x() + left,
                     .y = picture.y() + letters + plotMargin,
                     .width = std::max(picture.width() - left - plotMargin, 1.0),
                     .height = std::max(picture.height() - 3 * letters - 2 * plotMargin, 1.0)},
            .lineHeight = letters};
}

const plot::Scene& PlotWidget::scene() const {
    plot::Frame frame = frameIn(rect(), fontMetrics());
    frame.part = part;
    if (!drawn || drawn->first != frame) {
        drawn.emplace(frame, sceneIn(frame));
    }
    return drawn->second;
}

void PlotWidget::renew() {
    drawn.reset();
    update();
}

QRectF PlotWidget::pictureArea() const {
    const plot::Box area = frameIn(rect(), fontMetrics()).area;
    return {area.x, area.y, area.width, area.height};
}

QPointF PlotWidget::placeOf(std::size_t item) const {
    const plot::Point at = scene().items[item].at;
    return {at.x, at.y};
}

std::optional<std::size_t> PlotWidget::itemAt(const QPointF& at) const {
    const QRectF area = pictureArea().adjusted(-itemReach, -itemReach, itemReach, itemReach);
    return area.contains(at) ? scene().itemAt({.x = at.x(), .y = at.y()}, itemReach) : std::nullopt;
}

QString PlotWidget::tipAt(const QPointF& at) const {
    const auto item = itemAt(at);
    return item ? toQStringLines(scene().items[*item].tip) : QString();
}

QString PlotWidget::spokenValue() const {
    const auto item = chosenPoint();
    return item ? toQStringLines(scene().items[*item].tip)
                      .replace(QLatin1Char('\n'), QStringLiteral("   ·   "))
                : QString();
}

void PlotWidget::paintRing(QPainter& painter, std::optional<std::size_t> item,
                           QPalette::ColorRole role) const {
    if (item) {
        const double radius = scene().items[*item].radius + itemRing;
        painter.setPen(QPen(palette().color(role), 2));
        painter.drawEllipse(placeOf(*item), radius, radius);
    }
}

void PlotWidget::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    paintScene(painter, scene(), palette());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(pictureArea().adjusted(-1, -1, 1, 1));
    paintRing(painter, hoveredItem(), QPalette::Highlight);
    paintRing(painter, chosenPoint(), QPalette::Text);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PlotWidget::paintPage(QPainter& painter, const QRectF& page, const QPalette& colours) const {
    painter.fillRect(page, colours.base());
    painter.setFont(font());
    paintScene(painter, sceneIn(frameIn(page, painter.fontMetrics())), colours);
}

void PlotWidget::chooseBeside(int by) {
    const auto count = static_cast<std::ptrdiff_t>(scene().items.size());
    if (count > 0) {
        const auto chosen = chosenPoint();
        const std::ptrdiff_t now = chosen ? static_cast<std::ptrdiff_t>(*chosen) : -std::ptrdiff_t{by};
        chooseItem(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + by, 0, count - 1)));
    }
}

// Limits the zoom and keeps the part inside the plot.
void PlotWidget::showPart(const QRectF& wanted) {
    const double width = std::clamp(wanted.width(), leastPlotPart, 1.0);
    const double height = std::clamp(wanted.height(), leastPlotPart, 1.0);
    part = {.x = std::clamp(wanted.left(), 0.0, 1 - width),
            .y = std::clamp(wanted.top(), 0.0, 1 - height),
            .width = width,
            .height = height};
    update();
}

void PlotWidget::fitAll() {
    showPart({0, 0, 1, 1});
}

void PlotWidget::fitChosen() {
    if (const auto item = chosenPoint()) {
        const plot::Point place = scene().items[*item].at;
        const QRectF area = pictureArea();
        showPart({part.x + (place.x - area.x()) / area.width() * part.width - partAroundItem / 2,
                  part.y + (place.y - area.y()) / area.height() * part.height - partAroundItem / 2,
                  partAroundItem, partAroundItem});
    }
}

void PlotWidget::zoom(double factor, Axis, const QPointF& at) {
    const QRectF area = pictureArea();
    const double width = std::clamp(part.width * factor, leastPlotPart, 1.0);
    const double height = std::clamp(part.height * factor, leastPlotPart, 1.0);
    showPart({part.x + (at.x() - area.x()) / area.width() * (part.width - width),
              part.y + (at.y() - area.y()) / area.height() * (part.height - height), width, height});
}

void PlotWidget::pan(const QPointF& pixels) {
    const QRectF area = pictureArea();
    showPart({part.x + pixels.x() / area.width() * part.width,
              part.y + pixels.y() / area.height() * part.height, part.width, part.height});
}

QSize PlotWidget::minimumSizeHint() const {
    return {34 * fontMetrics().averageCharWidth(), 8 * fontMetrics().height()};
}

QSize PlotWidget::sizeHint() const {
    return {64 * fontMetrics().averageCharWidth(), 18 * fontMetrics().height()};
}

}  // namespace et::visualizers

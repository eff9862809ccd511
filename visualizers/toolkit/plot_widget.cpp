#include "visualizers/toolkit/plot_widget.h"

#include "visualizers/toolkit/picture_painter.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr double leastPlotPart = 0.01;  // minimum visible part of the plot
constexpr double partAroundItem = 0.25;
constexpr double itemReach = 4;  // pixels
constexpr double itemRing = 3.5;
constexpr double plotMargin = 12;

/// The frame of a picture with axes on the left and below, and a line of text above.
plot::Frame framed(const QSizeF& picture, double lineHeight, double labelWidth, const plot::Box& part) {
    const double left = labelWidth + plotMargin;
    return {.area = {.x = left,
                     .y = lineHeight + plotMargin,
                     .width = std::max(picture.width() - left - plotMargin, 1.0),
                     .height = std::max(picture.height() - 3 * lineHeight - 2 * plotMargin, 1.0)},
            .part = part,
            .lineHeight = lineHeight};
}

/// Adds a ring around an item.
void addRing(plot::Scene& scene, const std::vector<plot::Item>& items, std::optional<std::size_t> item,
             plot::Tone tone) {
    if (item) {
        scene.marks.push_back(
            {.shape = plot::Circle{.centre = items[*item].at, .radius = items[*item].radius + itemRing},
             .style = {.name = "ring", .stroke = tone, .width = 2},
             .clipped = true});
    }
}

}  // namespace

PlotWidget::PlotWidget(const QString& itemName, QString widest, QWidget* parent)
    : ZoomPanWidget({.upDown = true, .itemName = itemName, .stepName = itemName}, parent),
      widestLabel(std::move(widest)) {
}

plot::Frame PlotWidget::frame() const {
    return framed(size(), fontMetrics().height(), fontMetrics().horizontalAdvance(widestLabel), part);
}

const plot::Scene& PlotWidget::scene() const {
    const plot::Frame now = frame();
    if (!drawn || drawn->first != now) {
        drawn.emplace(now, sceneIn(now));
    }
    return drawn->second;
}

plot::Scene PlotWidget::pageScene(const QSizeF& page) const {
    const plot::Frame plain;
    const plot::Frame whole =
        framed(page, plain.lineHeight, plain.textWidth(widestLabel.toStdString()), plain.part);
    plot::Scene scene = sceneIn(whole);
    addRing(scene, scene.items, chosenPoint(), plot::Tone::Ink);
    return scene;
}

void PlotWidget::renew() {
    drawn.reset();
    update();
}

QRectF PlotWidget::pictureArea() const {
    const plot::Box area = frame().area;
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

void PlotWidget::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    paintScene(painter, scene(), palette());
    plot::Scene rings{.area = scene().area};
    addRing(rings, scene().items, hoveredItem(), plot::Tone::Accent);
    addRing(rings, scene().items, chosenPoint(), plot::Tone::Ink);
    paintScene(painter, rings, palette());
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void PlotWidget::selectAdjacent(int by) {
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
        const plot::Point place = frame().placeAt(scene().items[*item].at);
        showPart(
            {place.x - partAroundItem / 2, place.y - partAroundItem / 2, partAroundItem, partAroundItem});
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

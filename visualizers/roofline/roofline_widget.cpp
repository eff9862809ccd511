#include "visualizers/roofline/roofline_widget.h"

#include "visualizers/toolkit/picture_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double least = 0.01;  // minimum visible part of the plot
constexpr double aroundChosen = 0.25;
constexpr double pointReach = 3;  // distance in pixels at which a point is hit

}  // namespace

RooflineWidget::RooflineWidget(Selection& selection, QWidget* parent)
    : ZoomPanWidget({.upDown = true,
                     .chosenThing = QStringLiteral("Operator"),
                     .nextThing = QStringLiteral("Operator")},
                    parent),
      chosen(selection) {
    setAccessibleName(QStringLiteral("Roofline"));
    connect(&chosen, &Selection::currentChanged, this, [this] {
        speakValue(*this);
        update();
    });
    connect(&chosen, &Selection::hoverChanged, this, [this] { update(); });
}

void RooflineWidget::setScene(std::shared_ptr<const RooflineScene> shown) {
    scene = std::move(shown);
    fitAll();
}

ShownRoofline RooflineWidget::shown() const {
    return {.scene = *scene,
            .area = pictureArea(),
            .part = part,
            .chosen = chosenPoint(),
            .hovered = scene->pointOf(chosen.hovered())};
}

QRectF RooflineWidget::pictureArea() const {
    const double letters = fontMetrics().height();
    const double numbers = fontMetrics().horizontalAdvance(QStringLiteral("0.0001")) + 8;
    return QRectF(rect()).adjusted(numbers, letters + 6, -8, -2 * letters - 6);
}

void RooflineWidget::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (scene) {
        paintRoofline(painter, shown(), palette());
    }
}

std::optional<std::size_t> RooflineWidget::chosenPoint() const {
    return scene ? scene->pointOf(chosen.current()) : std::nullopt;
}

QPointF RooflineWidget::placeOf(std::size_t point) const {
    return shown().onScreen(scene->placeOf(scene->points()[point]));
}

std::optional<std::size_t> RooflineWidget::pointAt(const QPointF& at) const {
    if (!scene) {
        return std::nullopt;
    }
    const ShownRoofline now = shown();
    for (std::size_t point = scene->points().size(); point-- > 0;) {
        const QPointF away = now.onScreen(scene->placeOf(scene->points()[point])) - at;
        if (std::hypot(away.x(), away.y()) <= now.radiusOf(point) + pointReach) {
            return point;
        }
    }
    return std::nullopt;
}

void RooflineWidget::choose(std::size_t point) {
    chosen.setCurrent(scene->eventOf(point));
}

void RooflineWidget::click(const QPointF& at) {
    if (const auto point = pointAt(at)) {
        choose(*point);
    } else {
        chosen.setCurrent(std::nullopt);
    }
}

void RooflineWidget::chooseBeside(int by) {
    if (!scene || scene->points().empty()) {
        return;
    }
    const auto last = static_cast<std::ptrdiff_t>(scene->points().size()) - 1;
    const auto now =
        chosenPoint().transform([](std::size_t point) { return static_cast<std::ptrdiff_t>(point); });
    choose(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now.value_or(-by) + by, 0, last)));
}

void RooflineWidget::hover(std::optional<QPointF> at) {
    const auto point = at ? pointAt(*at) : std::nullopt;
    chosen.setHovered(point ? std::optional(scene->eventOf(*point)) : std::nullopt);
}

QString RooflineWidget::tipAt(const QPointF& at) const {
    const auto point = pointAt(at);
    return point ? rooflinePointText(scene->points()[*point])
                       .replace(QStringLiteral("   ·   "), QStringLiteral("\n"))
                 : QString();
}

QString RooflineWidget::spokenValue() const {
    const auto point = chosenPoint();
    return point ? rooflinePointText(scene->points()[*point]) : QString();
}

// Limits the zoom and keeps the part inside the plot.
void RooflineWidget::showPart(const QRectF& wanted) {
    const double width = std::clamp(wanted.width(), least, 1.0);
    const double height = std::clamp(wanted.height(), least, 1.0);
    part = {std::clamp(wanted.left(), 0.0, 1 - width), std::clamp(wanted.top(), 0.0, 1 - height), width,
            height};
    update();
}

void RooflineWidget::fitAll() {
    showPart({0, 0, 1, 1});
}

void RooflineWidget::fitChosen() {
    if (const auto point = chosenPoint()) {
        const QPointF place = scene->placeOf(scene->points()[*point]);
        showPart({place.x() - aroundChosen / 2, place.y() - aroundChosen / 2, aroundChosen, aroundChosen});
    }
}

// Zooms both axes together to preserve the slope.
void RooflineWidget::zoom(double factor, Axis, const QPointF& at) {
    const QRectF area = pictureArea();
    const double x = part.left() + (at.x() - area.left()) / area.width() * part.width();
    const double y = part.top() + (at.y() - area.top()) / area.height() * part.height();
    const double width = std::clamp(part.width() * factor, least, 1.0);
    const double height = std::clamp(part.height() * factor, least, 1.0);
    showPart({x - (x - part.left()) * width / part.width(), y - (y - part.top()) * height / part.height(),
              width, height});
}

void RooflineWidget::pan(const QPointF& pixels) {
    const QRectF area = pictureArea();
    showPart(part.translated(pixels.x() / area.width() * part.width(),
                             pixels.y() / area.height() * part.height()));
}

}  // namespace et::visualizers

#include "visualizers/lab/pareto_widget.h"

#include "visualizers/toolkit/picture_painter.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double leastPart = 0.01;  // minimum visible part of the plot
constexpr double partAroundChosen = 0.25;
constexpr double paretoReach = 9;  // distance in pixels at which a point is hit
constexpr int paretoLetters = 64;
constexpr int paretoLines = 18;
constexpr int fewestParetoLetters = 34;
constexpr int fewestParetoLines = 8;

}  // namespace

ParetoWidget::ParetoWidget(QWidget* parent)
    : ZoomPanWidget(
          {.upDown = true, .chosenThing = QStringLiteral("Program"), .nextThing = QStringLiteral("Program")},
          parent) {
    setObjectName(QStringLiteral("paretoPlot"));
    setAccessibleName(QStringLiteral("Programs by error and cost"));
}

void ParetoWidget::setScene(std::shared_ptr<const ParetoScene> next) {
    const bool same = scene && next && scene->cost() == next->cost();
    scene = std::move(next);
    chosen.reset();
    hovered.reset();
    if (!same) {
        part = {0, 0, 1, 1};
    }
    update();
}

void ParetoWidget::choose(std::optional<std::size_t> candidate) {
    chosen.reset();
    if (scene && candidate) {
        chosen = scene->pointOf(*candidate);
    } else if (scene && !scene->points().empty() && !scene->points().back().candidate) {
        chosen = scene->points().size() - 1;
    }
    speakValue(*this);
    update();
}

ShownPareto ParetoWidget::shown() const {
    return {.scene = *scene, .area = pictureArea(), .part = part, .chosen = chosen, .hovered = hovered};
}

QRectF ParetoWidget::pictureArea() const {
    return paretoArea(rect(), fontMetrics());
}

void ParetoWidget::paintEvent(QPaintEvent*) {
    PicturePainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (scene) {
        paintPareto(painter, shown(), palette());
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ParetoWidget::paintPage(QPainter& painter, const QRectF& page, const QPalette& colours) const {
    painter.fillRect(page, colours.base());
    if (scene) {
        painter.setFont(font());
        paintPareto(painter,
                    {.scene = *scene, .area = paretoArea(page, painter.fontMetrics()), .chosen = chosen},
                    colours);
    }
}

QPointF ParetoWidget::placeOf(std::size_t point) const {
    return shown().onScreen(scene->placeOf(scene->points()[point]));
}

std::optional<std::size_t> ParetoWidget::pointAt(const QPointF& at) const {
    std::optional<std::size_t> nearest;
    double least = paretoReach;
    for (std::size_t point = 0; scene && point < scene->points().size(); ++point) {
        const QPointF away = placeOf(point) - at;
        if (const double distance = std::hypot(away.x(), away.y()); distance <= least) {
            least = distance;
            nearest = point;
        }
    }
    return nearest;
}

void ParetoWidget::chooseAsPerson(std::size_t point) {
    if (const auto candidate = scene->points()[point].candidate) {
        emit candidateChosen(*candidate);
    }
}

void ParetoWidget::click(const QPointF& at) {
    if (const auto point = pointAt(at)) {
        chooseAsPerson(*point);
    }
}

bool ParetoWidget::doubleClick(const QPointF& at) {
    const auto point = pointAt(at);
    if (!point || !scene->points()[*point].candidate) {
        return false;
    }
    emit candidateOpened(*scene->points()[*point].candidate);
    return true;
}

void ParetoWidget::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && scene && chosen && scene->points()[*chosen].candidate) {
        emit candidateOpened(*scene->points()[*chosen].candidate);
        return;
    }
    ZoomPanWidget::keyPressEvent(event);
}

void ParetoWidget::chooseBeside(int by) {
    if (!scene || scene->points().empty()) {
        return;
    }
    const auto last = static_cast<std::ptrdiff_t>(scene->points().size()) - 1;
    const auto now = chosen ? static_cast<std::ptrdiff_t>(*chosen) : -std::ptrdiff_t{by};
    chooseAsPerson(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + by, 0, last)));
}

void ParetoWidget::hover(std::optional<QPointF> at) {
    const auto point = at ? pointAt(*at) : std::nullopt;
    if (point != hovered) {
        hovered = point;
        update();
    }
}

QString ParetoWidget::tipAt(const QPointF& at) const {
    const auto point = pointAt(at);
    if (!point) {
        return {};
    }
    const ParetoPoint& seen = scene->points()[*point];
    const QString text = QString(seen.text).replace(QStringLiteral("   ·   "), QStringLiteral("\n"));
    return seen.candidate ? text : QStringLiteral("predicted: %1").arg(text);
}

QString ParetoWidget::spokenValue() const {
    if (!scene || !chosen) {
        return {};
    }
    const ParetoPoint& point = scene->points()[*chosen];
    return point.candidate ? point.text : QStringLiteral("predicted: %1").arg(point.text);
}

// Limits the zoom and keeps the part inside the plot.
void ParetoWidget::showPart(const QRectF& wanted) {
    const double width = std::clamp(wanted.width(), leastPart, 1.0);
    const double height = std::clamp(wanted.height(), leastPart, 1.0);
    part = {std::clamp(wanted.left(), 0.0, 1 - width), std::clamp(wanted.top(), 0.0, 1 - height), width,
            height};
    update();
}

void ParetoWidget::fitAll() {
    showPart({0, 0, 1, 1});
}

void ParetoWidget::fitChosen() {
    if (scene && chosen) {
        const QPointF place = scene->placeOf(scene->points()[*chosen]);
        showPart({place.x() - partAroundChosen / 2, place.y() - partAroundChosen / 2, partAroundChosen,
                  partAroundChosen});
    }
}

void ParetoWidget::zoom(double factor, Axis, const QPointF& at) {
    const QRectF area = pictureArea();
    const QPointF away((at.x() - area.left()) / area.width(), (at.y() - area.top()) / area.height());
    const double width = std::clamp(part.width() * factor, leastPart, 1.0);
    const double height = std::clamp(part.height() * factor, leastPart, 1.0);
    showPart({part.left() + away.x() * (part.width() - width),
              part.top() + away.y() * (part.height() - height), width, height});
}

void ParetoWidget::pan(const QPointF& pixels) {
    const QRectF area = pictureArea();
    showPart(part.translated(pixels.x() / area.width() * part.width(),
                             pixels.y() / area.height() * part.height()));
}

QSize ParetoWidget::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * fewestParetoLetters,
            fontMetrics().height() * fewestParetoLines};
}

QSize ParetoWidget::sizeHint() const {
    return {fontMetrics().averageCharWidth() * paretoLetters, fontMetrics().height() * paretoLines};
}

}  // namespace et::visualizers

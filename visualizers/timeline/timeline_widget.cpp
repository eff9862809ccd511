#include "visualizers/timeline/timeline_widget.h"

#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace et::visualizers {

TimelineWidget::TimelineWidget(Selection& selection, QWidget* parent)
    : ZoomPanWidget({.upDown = true,
                     .marks = true,
                     .itemName = QStringLiteral("Event"),
                     .stepName = QStringLiteral("Event")},
                    parent),
      chosen(selection),
      navigator(scene, selection),
      painter(scene) {
    painter.restyle(palette());
    keyedAction(
        *this, QStringLiteral("Next M&atch"), Qt::Key_F3, [this] { navigator.goToMatch(true); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Previous Matc&h"), Qt::SHIFT | Qt::Key_F3,
        [this] { navigator.goToMatch(false); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Fit the First R&un"), Qt::Key_1, [this] { navigator.fitFirstRun(); },
        KeyScope::Widget);
    keyedToggle(
        *this, QStringLiteral("&Colour by Difference"), Qt::Key_C, false,
        [this](bool on) { setDifference(on); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Go &to Consumer"), Qt::CTRL | Qt::Key_Right,
        [this] { navigator.followFlow(true); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("&Go to Producer"), Qt::CTRL | Qt::Key_Left,
        [this] { navigator.followFlow(false); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Next &Pin"), Qt::Key_BracketRight, [this] { navigator.goToPin(true); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Previous P&in"), Qt::Key_BracketLeft, [this] { navigator.goToPin(false); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("&Clear the Range"), Qt::Key_Backspace,
        [this] { chosen.setRange(std::nullopt); }, KeyScope::Widget);
    connect(&navigator, &TimelineNavigator::viewMoved, this, [this] {
        update();
        emit viewMoved();
    });
    connect(&navigator, &TimelineNavigator::measured, this, [this](const QString& text) {
        emit measured(text);
        update();
    });
    connect(&chosen, &Selection::hoverChanged, this, qOverload<>(&QWidget::update));
}

void TimelineWidget::setTimeline(std::shared_ptr<const Timeline> shown) {
    scene.setTimeline(0, std::move(shown));
    painter.setTimeline(0);
    scrolled = 0;
    navigator.restart(width());
}

void TimelineWidget::setOverlay(std::shared_ptr<const Timeline> shown, const QString& name) {
    navigator.cursor().forgetOverlay();
    scene.setTimeline(1, std::move(shown));
    scene.setName(1, name);
    scene.align(cursor().span());
    painter.setTimeline(1);
    update();
    emit viewMoved();
}

void TimelineWidget::setAreas(TimelineAreas shown) {
    scene.setAreas(std::move(shown));
    update();
}

void TimelineWidget::setFlows(std::shared_ptr<const TimelineFlows> shown) {
    navigator.cursor().setFlows(std::move(shown));
    update();
}

void TimelineWidget::setName(const QString& name) {
    scene.setName(0, name);
    update();
}

void TimelineWidget::setSearch(const QString& text) {
    scene.setSearch(text);
    update();
}

void TimelineWidget::setDifference(bool shown) {
    scene.setDifference(shown);
    update();
    emit differenceChanged(shown);
}

void TimelineWidget::setCurrentRow(std::optional<EventRef> row) {
    currentRow = row;
    update();
}

void TimelineWidget::setPins(std::vector<TimelinePin> pins) {
    scene.setPins(std::move(pins));
    update();
}

TimelineLayout TimelineWidget::laneLayout() const {
    return {scene, fontMetrics(), size(), scrolled};
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    PicturePainter canvas(this);
    canvas.fillRect(rect(), palette().base());
    if (scene.timeline()) {
        painter.paint(canvas, laneLayout(),
                      {.window = view(),
                       .range = chosen.range(),
                       .chosen = cursor().span(),
                       .chosenRow = cursor().row(),
                       .hovered = chosen.hovered(),
                       .current = currentRow,
                       .flows = &cursor().flows()});
    }
}

void TimelineWidget::resizeEvent(QResizeEvent*) {
    navigator.setPixels(width());
}

void TimelineWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        painter.restyle(palette());
        update();
    }
    ZoomPanWidget::changeEvent(event);
}

QRectF TimelineWidget::rectOf(std::size_t lane, const Span& span, std::size_t layer) const {
    const double shift = scene.layer(layer).shift;
    return laneLayout().barRect(layer, lane, static_cast<double>(span.start) + shift,
                                static_cast<double>(span.end) + shift, view());
}

std::optional<SpanRef> TimelineWidget::spanAt(const QPointF& position) const {
    const auto lane = laneLayout().laneAt(position.y());
    return lane ? scene.spanAt(lane->layer, lane->lane, view().valueAt(position.x())) : std::nullopt;
}

void TimelineWidget::click(const QPointF& at) {
    if (scene.timeline()) {
        navigator.choose(spanAt(at));
    }
}

void TimelineWidget::zoom(double factor, Axis, const QPointF& at) {
    navigator.zoom(factor, at.x());
}

void TimelineWidget::pan(const QPointF& pixels) {
    scrolled = std::clamp(scrolled + static_cast<int>(pixels.y()), 0, laneLayout().maxScroll());
    navigator.pan(pixels.x() / std::max(width(), 1));
}

void TimelineWidget::hover(std::optional<QPointF> at) {
    const auto place = at && scene.timeline() ? spanAt(*at) : std::nullopt;
    chosen.setHovered(place ? scene.rowOf(*place) : std::nullopt);
}

QString TimelineWidget::tipAt(const QPointF& at) const {
    const auto place = spanAt(at);
    return place ? spanText(scene, *place).replace(timelineSeparator(), QStringLiteral("\n")) : QString();
}

}  // namespace et::visualizers

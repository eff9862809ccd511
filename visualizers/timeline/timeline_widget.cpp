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

namespace {

/// Maximum zoom in ticks: less than a tick per pixel shows nothing new, but leaves space for names.
constexpr double minTicks = 20;
constexpr double runRoom = 0.01;  // margin of a fitted execution
constexpr double edgeRoom = 0.2;  // margin on both sides of a fitted span

}  // namespace

TimelineWidget::TimelineWidget(Selection& selection, QWidget* parent)
    : ZoomPanWidget({.upDown = true,
                     .marks = true,
                     .itemName = QStringLiteral("Event"),
                     .stepName = QStringLiteral("Event")},
                    parent),
      chosen(selection),
      marked(scene, selection),
      painter(scene) {
    painter.restyle(palette());
    keyedAction(
        *this, QStringLiteral("Next M&atch"), Qt::Key_F3, [this] { goToMatch(true); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Previous Matc&h"), Qt::SHIFT | Qt::Key_F3, [this] { goToMatch(false); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Fit the First R&un"), Qt::Key_1, [this] { fitFirstRun(); }, KeyScope::Widget);
    keyedToggle(
        *this, QStringLiteral("&Colour by Difference"), Qt::Key_C, false,
        [this](bool on) { setDifference(on); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Go &to Consumer"), Qt::CTRL | Qt::Key_Right, [this] { followFlow(true); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("&Go to Producer"), Qt::CTRL | Qt::Key_Left, [this] { followFlow(false); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Next &Pin"), Qt::Key_BracketRight, [this] { goToPin(true); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Previous P&in"), Qt::Key_BracketLeft, [this] { goToPin(false); },
        KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("&Clear the Range"), Qt::Key_Backspace,
        [this] { chosen.setRange(std::nullopt); }, KeyScope::Widget);
    connect(&chosen, &Selection::currentChanged, this, &TimelineWidget::showChosen);
    connect(&chosen, &Selection::rangeChanged, this, &TimelineWidget::showRange);
    connect(&chosen, &Selection::hoverChanged, this, qOverload<>(&QWidget::update));
}

void TimelineWidget::setTimeline(std::shared_ptr<const Timeline> shown) {
    marked.reset();
    scene.setTimeline(0, std::move(shown));
    painter.setTimeline(0);
    scrolled = 0;
    // Parts of the second timeline outside of the first are reachable by selecting another execution.
    window =
        ZoomRange(scene.timeline() ? static_cast<double>(scene.timeline()->length) : 1, minTicks, width());
    fitFirstRun();
    showChosen();
}

void TimelineWidget::setOverlay(std::shared_ptr<const Timeline> shown, const QString& name) {
    marked.forgetOverlay();
    scene.setTimeline(1, std::move(shown));
    scene.setName(1, name);
    scene.align(marked.span());
    painter.setTimeline(1);
    moved();
}

void TimelineWidget::setAreas(std::shared_ptr<const TimelineMemory> memory,
                              std::vector<TimelineCounter> counters) {
    scene.setMemory(std::move(memory));
    scene.setCounters(std::move(counters));
    update();
}

void TimelineWidget::setFlows(std::shared_ptr<const TimelineFlows> shown) {
    marked.setFlows(std::move(shown));
    update();
}

/// Goes to the first consumer of the current step's outputs, or to the last producer of its inputs.
void TimelineWidget::followFlow(bool forward) {
    const auto& steps = forward ? marked.flows().after : marked.flows().before;
    if (!steps.empty()) {
        choose(forward ? steps.front() : steps.back());
        bringIntoView();
    }
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

void TimelineWidget::setPins(std::vector<TimelinePin> pins) {
    scene.setPins(std::move(pins));
    update();
}

bool TimelineWidget::goToPin(bool forward) {
    const auto range = marked.range();
    const auto& current = marked.span();
    const double here = range     ? static_cast<double>(range->first)
                        : current ? scene.timesOf(*current).first
                                  : window.from();
    const TimelinePin* const pin = scene.adjacentPin(here, forward);
    if (pin == nullptr) {
        return false;
    }
    if (pin->row) {
        const EventRef row = *pin->row;  // copied, because selecting may reload the notes
        chosen.setRange(std::nullopt);
        chooseRow(row);
    } else {
        const TickRange pinned = *pin->range;
        chosen.setRange(pinned);
        const auto from = static_cast<double>(pinned.first - scene.timeline()->origin);
        window.show(from, from + static_cast<double>(pinned.last - pinned.first), edgeRoom);
        moved();
    }
    return true;
}

TimelineLayout TimelineWidget::laneLayout() const {
    return {scene, fontMetrics(), size(), scrolled};
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    PicturePainter canvas(this);
    canvas.fillRect(rect(), palette().base());
    if (scene.timeline()) {
        painter.paint(canvas, laneLayout(),
                      {.window = window,
                       .range = chosen.range(),
                       .chosen = marked.span(),
                       .chosenRow = marked.row(),
                       .hovered = chosen.hovered(),
                       .flows = &marked.flows()});
    }
}

void TimelineWidget::resizeEvent(QResizeEvent*) {
    window.setPixels(width());
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
                                static_cast<double>(span.end) + shift, window);
}

void TimelineWidget::moved() {
    update();
    emit viewMoved();
}

void TimelineWidget::showTimes(double from, double to) {
    window.show(from, to);
    moved();
}

/// Scrolls to a range selected in another view; a range marked here is already visible.
void TimelineWidget::showRange() {
    const QString text = marked.measurement();
    if (const auto range = marked.range()) {
        const auto from = static_cast<double>(range->first);
        const auto to = static_cast<double>(range->last);
        if (to < window.from() || from > window.to()) {
            window.show(from, to, edgeRoom);
            emit viewMoved();
        }
    }
    marked.updateFlows();
    emit measured(text.isEmpty() ? marked.text() : text);
    update();
}

/// Shows the selection of another view.
void TimelineWidget::showChosen() {
    marked.follow();
    showRange();
}

std::optional<SpanRef> TimelineWidget::spanAt(const QPointF& position) const {
    const auto lane = laneLayout().laneAt(position.y());
    return lane ? scene.spanAt(lane->layer, lane->lane, window.valueAt(position.x())) : std::nullopt;
}

void TimelineWidget::choose(const std::optional<SpanRef>& place) {
    marked.choose(place);
    showRange();
}

void TimelineWidget::click(const QPointF& at) {
    if (scene.timeline()) {
        choose(spanAt(at));
    }
}

void TimelineWidget::selectAdjacent(int by) {
    if (const auto next = scene.beside(marked.span(), by)) {
        choose(next);
        bringIntoView();
    }
}

void TimelineWidget::goToMatch(bool forward) {
    if (const auto next = scene.nextMatch(marked.span(), forward)) {
        choose(next);
        bringIntoView();
    }
}

/// Scrolls to the current event if it is not on screen.
void TimelineWidget::bringIntoView() {
    const auto& current = marked.span();
    const auto [start, end] = current ? scene.timesOf(*current) : std::pair(window.from(), window.to());
    if (start < window.from() || end > window.to()) {
        fitChosen();
    }
}

void TimelineWidget::chooseRow(EventRef row) {
    if (const auto place = scene.timeline() ? scene.spanOfRow(row) : std::nullopt) {
        choose(place);
        bringIntoView();
    } else {
        chosen.setCurrent(row);
    }
}

void TimelineWidget::fitFirstRun() {
    if (scene.timeline() && !scene.timeline()->runs.spans().empty()) {
        const Span& run = scene.timeline()->runs.spans().front();
        window.show(static_cast<double>(run.start), static_cast<double>(run.end), runRoom);
        moved();
    } else {
        fitAll();
    }
}

void TimelineWidget::fitAll() {
    window.fit();
    moved();
}

void TimelineWidget::fitChosen() {
    if (const auto& current = marked.span()) {
        const auto [start, end] = scene.timesOf(*current);
        window.show(start, end, edgeRoom);
        moved();
    }
}

void TimelineWidget::zoom(double factor, Axis, const QPointF& at) {
    window.zoom(factor, at.x());
    moved();
}

void TimelineWidget::pan(const QPointF& pixels) {
    window.pan(pixels.x() / std::max(width(), 1));
    scrolled = std::clamp(scrolled + static_cast<int>(pixels.y()), 0, laneLayout().maxScroll());
    moved();
}

void TimelineWidget::mark(double from, double to) {
    const auto& timeline = scene.timeline();
    if (!timeline) {
        return;
    }
    const auto tick = [&](double at) {
        const double time = std::clamp(window.valueAt(at), 0.0, static_cast<double>(timeline->length));
        return timeline->origin + static_cast<std::uint64_t>(time);
    };
    chosen.setRange(TickRange{tick(from), tick(to)});
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

#include "visualizers/timeline/timeline_widget.h"

#include "visualizers/selection.h"
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
                     .chosenThing = QStringLiteral("Event"),
                     .nextThing = QStringLiteral("Event")},
                    parent),
      chosen(selection),
      painter(scene) {
    painter.restyle(palette());
    keyedAction(*this, QStringLiteral("Next M&atch"), Qt::Key_F3, [this] { nextMatch(); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("Previous Matc&h"), Qt::SHIFT | Qt::Key_F3, [this] { previousMatch(); },
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
    current.reset();
    known = nullptr;
    scene.setTimeline(0, std::move(shown));
    painter.setTimeline(0);
    scrolled = 0;
    resetWindow();
    fitFirstRun();
    showChosen();
}

void TimelineWidget::setOverlay(std::shared_ptr<const Timeline> shown, const QString& name) {
    if (current && current->layer == 1) {
        current.reset();
    }
    scene.setTimeline(1, std::move(shown));
    scene.setName(1, name);
    scene.align(current);
    painter.setTimeline(1);
    moved();
}

void TimelineWidget::setMemory(std::shared_ptr<const TimelineMemory> shown) {
    scene.setMemory(std::move(shown));
    update();
}

void TimelineWidget::setFlows(std::shared_ptr<const TimelineFlows> shown) {
    known = std::move(shown);
    findFlows();
    update();
}

void TimelineWidget::findFlows() {
    arrows = current && known && scene.timeline() ? SpanFlows::of(scene, *known, *current) : SpanFlows();
}

/// Goes to the first consumer of the current step's outputs, or to the last producer of its inputs.
void TimelineWidget::followFlow(bool forward) {
    const auto& steps = forward ? arrows.after : arrows.before;
    if (!steps.empty()) {
        choose(forward ? steps.front() : steps.back());
        bringIntoView();
    }
}

void TimelineWidget::setCounters(std::vector<TimelineCounter> shown) {
    scene.setCounters(std::move(shown));
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

void TimelineWidget::setPins(std::vector<TimelinePin> marked) {
    scene.setPins(std::move(marked));
    update();
}

bool TimelineWidget::goToPin(bool forward) {
    const auto range = stretch();
    const double here = range     ? static_cast<double>(range->first)
                        : current ? scene.timesOf(*current).first
                                  : window.from();
    const TimelinePin* const pin = scene.pinBeside(here, forward);
    if (pin == nullptr) {
        return false;
    }
    if (pin->row) {
        const EventRef row = *pin->row;  // copied, because selecting may reload the notes
        chosen.setRange(std::nullopt);
        chooseRow(row);
    } else {
        const TickRange marked = *pin->range;
        chosen.setRange(marked);
        const auto from = static_cast<double>(marked.first - scene.timeline()->origin);
        window.show(from, from + static_cast<double>(marked.last - marked.first), edgeRoom);
        moved();
    }
    return true;
}

/// The window has the length of the first timeline; parts of the second outside of it are reachable by
/// selecting another execution.
void TimelineWidget::resetWindow() {
    window =
        ZoomRange(scene.timeline() ? static_cast<double>(scene.timeline()->length) : 1, minTicks, width());
}

TimelineLayout TimelineWidget::lanePlaces() const {
    return {scene, fontMetrics(), size(), scrolled};
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    PicturePainter canvas(this);
    canvas.fillRect(rect(), palette().base());
    if (scene.timeline()) {
        painter.paint(canvas, lanePlaces(),
                      {.window = window,
                       .range = chosen.range(),
                       .chosen = current,
                       .chosenRow = currentRow,
                       .hovered = chosen.hovered(),
                       .flows = &arrows});
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
    return lanePlaces().barRect(layer, lane, static_cast<double>(span.start) + shift,
                                static_cast<double>(span.end) + shift, window);
}

std::optional<TickRange> TimelineWidget::stretch() const {
    const auto range = chosen.range();
    const auto& timeline = scene.timeline();
    return timeline && range && range->first >= timeline->origin && range->last >= range->first
               ? std::optional(TickRange{range->first - timeline->origin, range->last - timeline->origin})
               : std::nullopt;
}

QString TimelineWidget::measurement() const {
    const auto range = stretch();
    return range ? stretchText(*scene.timeline(), range->first, range->last) : QString();
}

QString TimelineWidget::pinned() const {
    return current ? spanText(scene, *current) : QString();
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
    const QString text = measurement();
    if (const auto range = stretch()) {
        const auto from = static_cast<double>(range->first);
        const auto to = static_cast<double>(range->last);
        if (to < window.from() || from > window.to()) {
            window.show(from, to, edgeRoom);
            emit viewMoved();
        }
    }
    findFlows();
    emit measured(text.isEmpty() ? pinned() : text);
    update();
}

// Shows the selection of another view; keeps the run of the same row that was selected here.
void TimelineWidget::showChosen() {
    const auto row = chosen.current();
    if (scene.timeline() && row && !(current && currentRow == row)) {
        current = scene.spanOfRow(*row);
        currentRow = row;
        scene.align(current);
    } else if (!row) {
        current.reset();
        currentRow.reset();
    }
    showRange();
}

std::optional<SpanPlace> TimelineWidget::spanAt(const QPointF& position) const {
    const auto lane = lanePlaces().laneAt(position.y());
    return lane ? scene.spanAt(lane->layer, lane->lane, window.valueAt(position.x())) : std::nullopt;
}

void TimelineWidget::choose(const std::optional<SpanPlace>& place) {
    current = place;
    const auto row = place ? scene.rowOf(*place) : std::nullopt;
    // A span of the second timeline without a row in the first does not change the shared selection.
    if (!place || place->layer == 0 || row) {
        currentRow = row;
        chosen.setCurrent(row);
    }
    scene.align(current);
    showRange();
}

void TimelineWidget::click(const QPointF& at) {
    if (scene.timeline()) {
        choose(spanAt(at));
    }
}

void TimelineWidget::chooseBeside(int by) {
    if (const auto next = scene.beside(current, by)) {
        choose(next);
        bringIntoView();
    }
}

void TimelineWidget::chooseMatch(bool forward) {
    if (const auto next = scene.nextMatch(current, forward)) {
        choose(next);
        bringIntoView();
    }
}

/// Scrolls to the current event if it is not on screen.
void TimelineWidget::bringIntoView() {
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
    if (current) {
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
    scrolled = std::clamp(scrolled + static_cast<int>(pixels.y()), 0, lanePlaces().maxScroll());
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

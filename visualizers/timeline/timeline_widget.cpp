#include "visualizers/timeline/timeline_widget.h"

#include "visualizers/selection.h"

#include <QAction>
#include <QCursor>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::visualizers {

namespace {

constexpr double zoomStep = 0.75;
constexpr double panPart = 0.2;  // of the view
constexpr int dragDistance = 4;  // pixels that are no click any more
constexpr double wheelNotch = 120;
/// The closest look: less than a tick a pixel shows nothing new, but room for names.
constexpr double fewestTicks = 20;
constexpr double edgeRoom = 0.2;  // of a span on both sides, when it is fitted

}  // namespace

TimelineWidget::TimelineWidget(Selection& selection, QWidget* parent) : QWidget(parent), chosen(selection) {
    restyle();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    createActions();
    connect(&chosen, &Selection::currentChanged, this, &TimelineWidget::showChosen);
    connect(&chosen, &Selection::rangeChanged, this, &TimelineWidget::showRange);
}

void TimelineWidget::createActions() {
    addKeyed(tr("Zoom &In"), Qt::Key_W, &TimelineWidget::zoomIn);
    addKeyed(tr("Zoom &Out"), Qt::Key_S, &TimelineWidget::zoomOut);
    addKeyed(tr("Pan &Left"), Qt::Key_A, &TimelineWidget::panLeft);
    addKeyed(tr("Pan &Right"), Qt::Key_D, &TimelineWidget::panRight);
    addKeyed(tr("&Fit All"), Qt::Key_Space, &TimelineWidget::fitAll);
    addKeyed(tr("Fit the &Chosen Event"), Qt::Key_F, &TimelineWidget::fitChosen);
    addKeyed(tr("&Next Event"), Qt::Key_Period, &TimelineWidget::nextSpan);
    addKeyed(tr("&Previous Event"), Qt::Key_Comma, &TimelineWidget::previousSpan);
    addKeyed(tr("Next M&atch"), Qt::Key_F3, &TimelineWidget::nextMatch);
    addKeyed(tr("Previous Matc&h"), Qt::SHIFT | Qt::Key_F3, &TimelineWidget::previousMatch);
    addKeyed(tr("Clear the &Measured Range"), Qt::Key_Backspace, &TimelineWidget::clearRange);
}

void TimelineWidget::addKeyed(const QString& text, const QKeySequence& key, void (TimelineWidget::*slot)()) {
    auto* const action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
}

void TimelineWidget::setTimeline(std::shared_ptr<const Timeline> shown) {
    layers[0].timeline = shown;
    layers[0].painter.setTimeline(std::move(shown));
    current.reset();
    scrolled = 0;
    resetWindow();
    setSearch(searched);
    restyle();
    showChosen();
    showRange();
    moved();
}

void TimelineWidget::setOverlay(std::shared_ptr<const Timeline> shown, const QString& name) {
    layers[1].timeline = shown;
    layers[1].name = name;
    layers[1].painter.setTimeline(std::move(shown));
    if (current && current->layer == 1) {
        current.reset();
    }
    align();
    if (window.isWhole()) {
        resetWindow();
    }
    setSearch(searched);
    restyle();
    moved();
}

void TimelineWidget::setName(const QString& name) {
    layers[0].name = name;
    update();
}

/// As long as the first; what of the second lies outside can be reached by choosing another execution.
void TimelineWidget::resetWindow() {
    window = ZoomRange(main() ? static_cast<double>(main()->length) : 1, fewestTicks, width());
}

/// Lays the second timeline so that its execution of the same number begins where that of the chosen event
/// does.
void TimelineWidget::align() {
    const auto& other = layers[1].timeline;
    layers[1].shift = 0;
    if (!main() || !other || main()->runs.spans().empty() || other->runs.spans().empty()) {
        return;
    }
    const bool ofMain = current && current->layer == 0;
    const std::size_t run =
        std::min(ofMain ? main()->runAt(current->span.start) : 0, other->runs.spans().size() - 1);
    layers[1].shift =
        static_cast<double>(main()->runs.spans()[std::min(run, main()->runs.spans().size() - 1)].start) -
        static_cast<double>(other->runs.spans()[run].start);
}

void TimelineWidget::setSearch(const QString& text) {
    searched = text;
    for (Layer& layer : layers) {
        layer.painter.setSearch(text);
    }
    update();
}

void TimelineWidget::restyle() {
    for (Layer& layer : layers) {
        layer.painter.restyle(palette());
    }
    update();
}

void TimelineWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        restyle();
    }
    QWidget::changeEvent(event);
}

void TimelineWidget::moved() {
    update();
    emit viewMoved();
}

void TimelineWidget::showTimes(double from, double to) {
    window.show(from, to);
    moved();
}

void TimelineWidget::showRange() {
    const QString text = measurement();
    emit measured(text.isEmpty() ? pinned() : text);
    update();
}

std::optional<TimelineWidget::Hit> TimelineWidget::hitAt(const QPointF& position) const {
    for (std::size_t layer = 0; layer < layers.size() && position.y() >= axisHeight(); ++layer) {
        const auto& timeline = layers[layer].timeline;
        for (std::size_t lane = 0; timeline && lane < timeline->lanes.size(); ++lane) {
            const int top = laneTop(layer, lane);
            if (position.y() < top || position.y() >= top + laneHeight()) {
                continue;
            }
            const Lane& spans = timeline->lanes[lane];
            const double time = window.valueAt(position.x()) - layers[layer].shift;
            const std::size_t found =
                time < 0 ? spans.spans().size() : spans.at(static_cast<std::uint64_t>(time));
            if (found < spans.spans().size()) {
                return Hit{layer, lane, spans.spans()[found]};
            }
        }
    }
    return std::nullopt;
}

std::optional<TimelineWidget::Hit> TimelineWidget::hitOf(EventRef row) const {
    const auto span = main() ? main()->spanOf(row) : std::nullopt;
    for (std::size_t lane = 0; span && lane < main()->lanes.size(); ++lane) {
        const auto spans = main()->lanes[lane].spans();
        auto found = std::ranges::lower_bound(spans, span->start, {}, &Span::start);
        for (; found != spans.end() && found->start == span->start; ++found) {
            if (found->event == span->event) {
                return Hit{0, lane, *found};
            }
        }
    }
    return std::nullopt;
}

void TimelineWidget::choose(const std::optional<Hit>& hit) {
    current = hit;
    if (hit && hit->layer == 1) {
        chooseLike(*hit);
    } else {
        currentRow = hit ? main()->rowOf(hit->span) : std::nullopt;
        chosen.setCurrent(currentRow);
    }
    align();
    showRange();
}

/// What the main trace has at the same instruction under the same name: rows of others nobody else knows.
void TimelineWidget::chooseLike(const Hit& hit) {
    const Timeline& other = *layers[1].timeline;
    const auto row = other.rowOf(hit.span);
    const inspector::Event* const wanted =
        row ? &other.blocks->blocks()[row->block].events[row->event] : nullptr;
    const auto& blocks = main()->blocks->blocks();
    for (std::size_t block = 0; wanted != nullptr && block < blocks.size(); ++block) {
        const auto& events = blocks[block].events;
        const auto found = std::ranges::find_if(events, [&](const inspector::Event& event) {
            return event.instruction == wanted->instruction && event.chain == wanted->chain &&
                   event.name == wanted->name;
        });
        if (found != events.end()) {
            currentRow = EventRef{block, static_cast<std::size_t>(found - events.begin())};
            chosen.setCurrent(currentRow);
            return;
        }
    }
}

// What another view has chosen; a run of it that was chosen here stays.
void TimelineWidget::showChosen() {
    const auto row = chosen.current();
    if (main() && row && !(current && currentRow == row)) {
        current = hitOf(*row);
        currentRow = row;
        align();
    } else if (!row) {
        current.reset();
    }
    showRange();
}

void TimelineWidget::resizeEvent(QResizeEvent*) {
    window.setPixels(width());
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        if (const auto hit = hitAt(help->pos())) {
            QToolTip::showText(help->globalPos(),
                               describe(*hit).replace(QStringLiteral("   ·   "), QStringLiteral("\n")), this);
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / wheelNotch;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        window.pan(-notches * panPart);
    } else {
        window.zoom(std::pow(zoomStep, notches), event->position().x());
    }
    event->accept();
    moved();
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    dragFrom = event->position().x();
    dragTop = event->position().y();
    dragging = false;
    panning = event->button() != Qt::LeftButton;
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (dragFrom < 0 || !main() || (!dragging && std::abs(x - dragFrom) < dragDistance)) {
        return;
    }
    dragging = true;
    if (panning) {
        window.pan((dragFrom - x) / width());
        dragFrom = x;
        const int most = layerTop(1) + scrolled + layerHeight(1) - height();
        scrolled =
            std::clamp(scrolled + static_cast<int>(dragTop - event->position().y()), 0, std::max(most, 0));
        dragTop = event->position().y();
        moved();
        return;
    }
    const auto tick = [this](double at) {
        const double time = std::clamp(window.valueAt(at), 0.0, static_cast<double>(main()->length));
        return main()->origin + static_cast<std::uint64_t>(time);
    };
    chosen.setRange(TickRange{tick(std::min(dragFrom, x)), tick(std::max(dragFrom, x))});
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (!dragging && event->button() == Qt::LeftButton && main()) {
        choose(hitAt(event->position()));
    }
    dragFrom = -1;
    dragging = false;
}

double TimelineWidget::cursorX() const {
    const double x = mapFromGlobal(QCursor::pos()).x();
    return underMouse() ? std::clamp(x, 0.0, static_cast<double>(width())) : width() / 2.0;
}

void TimelineWidget::zoomIn() {
    window.zoom(zoomStep, cursorX());
    moved();
}

void TimelineWidget::zoomOut() {
    window.zoom(1 / zoomStep, cursorX());
    moved();
}

void TimelineWidget::panLeft() {
    window.pan(-panPart);
    moved();
}

void TimelineWidget::panRight() {
    window.pan(panPart);
    moved();
}

void TimelineWidget::fitAll() {
    window.fit();
    moved();
}

void TimelineWidget::fitChosen() {
    if (current) {
        const double shift = layers[current->layer].shift;
        window.show(static_cast<double>(current->span.start) + shift,
                    static_cast<double>(current->span.end) + shift, edgeRoom);
        moved();
    }
}

void TimelineWidget::nextSpan() {
    step(1);
}

void TimelineWidget::previousSpan() {
    step(-1);
}

void TimelineWidget::step(int by) {
    if (!main() || main()->lanes.empty()) {
        return;
    }
    const Hit from = current.value_or(Hit{0, 0, main()->lanes[0].spans().front()});
    const auto spans = layers[from.layer].timeline->lanes[from.lane].spans();
    const auto here = std::ranges::lower_bound(spans, from.span.start, {}, &Span::start) - spans.begin();
    const auto next = std::clamp<std::ptrdiff_t>(here + by, 0, static_cast<std::ptrdiff_t>(spans.size()) - 1);
    choose(Hit{from.layer, from.lane, spans[static_cast<std::size_t>(next)]});
    bringIntoView();
}

/// Of all lanes, by the time at which events start and the lane they are in.
void TimelineWidget::stepMatch(bool forward) {
    if (!main() || !layers[0].painter.searching()) {
        return;
    }
    using Place = std::pair<std::uint64_t, std::size_t>;
    const auto here = current && current->layer == 0
                          ? std::optional(Place(current->span.start, current->lane))
                          : std::nullopt;
    std::optional<Hit> best;
    for (std::size_t lane = 0; lane < main()->lanes.size(); ++lane) {
        for (const Span& span : main()->lanes[lane].spans()) {
            const Place place(span.start, lane);
            const bool beyond = !here || (forward ? place > *here : place < *here);
            const bool closer = !best || (forward ? place < Place(best->span.start, best->lane)
                                                  : place > Place(best->span.start, best->lane));
            if (beyond && closer && layers[0].painter.matches(span)) {
                best = Hit{0, lane, span};
            }
        }
    }
    if (best) {
        choose(best);
        bringIntoView();
    }
}

/// The chosen event, where it is not on screen.
void TimelineWidget::bringIntoView() {
    const double shift = layers[current->layer].shift;
    if (static_cast<double>(current->span.start) + shift < window.from() ||
        static_cast<double>(current->span.end) + shift > window.to()) {
        fitChosen();
    }
}

void TimelineWidget::clearRange() {
    chosen.setRange(std::nullopt);
}

}  // namespace et::visualizers

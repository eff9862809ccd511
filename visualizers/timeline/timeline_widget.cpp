#include "visualizers/timeline/timeline_widget.h"

#include "visualizers/text.h"
#include "visualizers/timeline/timeline_style.h"

#include <QAction>
#include <QCursor>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr double zoomStep = 0.75;
constexpr double panPart = 0.2;  // of the view
constexpr int dragDistance = 4;  // pixels that are no click any more
constexpr int axisGap = 6;
constexpr int laneGap = 2;
constexpr int nameRoom = 28;   // pixels from which on a bar has its name
constexpr int tickRoom = 110;  // pixels between marks of the axis
constexpr double wheelNotch = 120;
constexpr double edgeRoom = 0.2;  // of a span on both sides, when it is fitted

}  // namespace

TimelineWidget::TimelineWidget(Selection& selection, QWidget* parent) : QWidget(parent), chosen(selection) {
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
    timeline = std::move(shown);
    current.reset();
    window = TimeView(timeline ? static_cast<double>(timeline->length) : 1, width());
    showChosen();
    showRange();
    update();
}

void TimelineWidget::setSearch(const QString& text) {
    searched = text;
    update();
}

bool TimelineWidget::matches(std::string_view name) const {
    return searched.isEmpty() || toQString(name).contains(searched, Qt::CaseInsensitive);
}

int TimelineWidget::laneHeight() const {
    return fontMetrics().height() + 6;
}

int TimelineWidget::laneTop(std::size_t lane) const {
    return fontMetrics().height() + axisGap + static_cast<int>(lane) * (laneHeight() + laneGap);
}

QRectF TimelineWidget::rectOf(std::size_t lane, const Span& span) const {
    const double left = std::max(window.xOf(static_cast<double>(span.start)), -1.0);
    const double right = std::min(window.xOf(static_cast<double>(span.end)), width() + 1.0);
    return right < 0 || left > width()
               ? QRectF()
               : QRectF(left, laneTop(lane), std::max(right - left, 1.0), laneHeight());
}

QString TimelineWidget::timeText(double ticks) const {
    const QString unit = toQString(facts(timeline->blocks->options().target).name);
    return QStringLiteral("%1 %2").arg(QString::number(ticks / timeline->ticksPerUnit, 'g', 6), unit);
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (!timeline) {
        return;
    }
    paintAxis(painter);
    for (std::size_t lane = 0; lane < timeline->lanes.size() && laneTop(lane) < height(); ++lane) {
        paintLane(painter, lane);
    }
    paintRange(painter);
    if (current) {
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(current->lane, current->span));
    }
}

void TimelineWidget::paintAxis(QPainter& painter) const {
    const double unit = timeline->ticksPerUnit;
    const double step = roundStep(window.ticksPerPixel() * tickRoom / unit) * unit;
    QColor line = palette().color(QPalette::Text);
    line.setAlpha(0x28);
    for (double time = std::ceil(window.from() / step) * step; time <= window.to(); time += step) {
        const double x = window.xOf(time);
        painter.setPen(line);
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QPointF(x + 3, fontMetrics().ascent() + 1), timeText(time));
    }
}

void TimelineWidget::paintLane(QPainter& painter, std::size_t lane) const {
    std::vector<Lane::Piece> pieces;
    const auto from = static_cast<std::uint64_t>(std::max(window.from(), 0.0));
    const auto to = static_cast<std::uint64_t>(window.to()) + 1;
    timeline->lanes[lane].collect(from, to, static_cast<std::uint64_t>(window.ticksPerPixel()), pieces);
    for (const Lane::Piece& piece : pieces) {
        paintPiece(painter, piece, lane);
    }
}

void TimelineWidget::paintPiece(QPainter& painter, const Lane::Piece& piece, std::size_t lane) const {
    const Span& longest = timeline->lanes[lane].spans()[piece.longest];
    const std::string_view name = timeline->nameOf(longest);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    QColor colour = barColour(name, dark);
    if (!searched.isEmpty() && !matches(name)) {
        colour.setAlpha(0x30);
    }
    if (piece.count > 1) {
        // As pale as it is empty.
        const double part = static_cast<double>(piece.busy) /
                            static_cast<double>(std::max<std::uint64_t>(piece.end - piece.start, 1));
        colour.setAlphaF(colour.alphaF() * static_cast<float>(0.3 + 0.7 * std::min(part, 1.0)));
    }
    const QRectF bar = rectOf(lane, {piece.start, piece.end, longest.event});
    painter.fillRect(bar.width() > 3 ? bar.adjusted(0, 0, -1, 0) : bar, colour);
    if (piece.count == 1 && bar.width() >= nameRoom) {
        painter.setPen(palette().color(QPalette::Text));
        const QRectF room = bar.adjusted(3, 0, -3, 0).intersected(QRectF(rect()).adjusted(3, 0, -3, 0));
        painter.drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(toQString(name), Qt::ElideRight, static_cast<int>(room.width())));
    }
}

void TimelineWidget::paintRange(QPainter& painter) const {
    const auto range = chosen.range();
    if (!range || range->first < timeline->origin) {
        return;
    }
    const double left = window.xOf(static_cast<double>(range->first - timeline->origin));
    const double right = window.xOf(static_cast<double>(range->last - timeline->origin));
    QColor colour = palette().color(QPalette::Highlight);
    painter.setPen(colour);
    painter.drawLine(QPointF(left, 0), QPointF(left, height()));
    painter.drawLine(QPointF(right, 0), QPointF(right, height()));
    colour.setAlpha(0x30);
    painter.fillRect(QRectF(left, 0, right - left, height()), colour);
}

QString TimelineWidget::measurement() const {
    const auto range = chosen.range();
    if (!timeline || !range || range->first < timeline->origin || range->last < range->first) {
        return {};
    }
    const std::uint64_t from = range->first - timeline->origin;
    const std::uint64_t to = range->last - timeline->origin;
    QStringList parts{tr("%1 long").arg(timeText(static_cast<double>(to - from)))};
    for (std::size_t lane = 0; lane < timeline->lanes.size(); ++lane) {
        const Lane::Use use = timeline->lanes[lane].use(from, to);
        const double part =
            to > from ? 100.0 * static_cast<double>(use.busy) / static_cast<double>(to - from) : 0;
        parts.append(tr("lane %1: %2, %3 % busy")
                         .arg(lane)
                         .arg(counted(use.started, tr("1 event"), tr("%1 events")))
                         .arg(part, 0, 'f', 1));
    }
    return parts.join(QStringLiteral("   ·   "));
}

void TimelineWidget::showRange() {
    emit measured(measurement());
    update();
}

std::optional<TimelineWidget::Hit> TimelineWidget::hitAt(const QPointF& position) const {
    for (std::size_t lane = 0; timeline && lane < timeline->lanes.size(); ++lane) {
        const int top = laneTop(lane);
        const Lane& spans = timeline->lanes[lane];
        if (position.y() < top || position.y() >= top + laneHeight()) {
            continue;
        }
        const double time = window.timeAt(position.x());
        const std::size_t found =
            time < 0 ? spans.spans().size() : spans.at(static_cast<std::uint64_t>(time));
        if (found < spans.spans().size()) {
            return Hit{lane, spans.spans()[found]};
        }
    }
    return std::nullopt;
}

std::optional<TimelineWidget::Hit> TimelineWidget::hitOf(EventRef row) const {
    const auto span = timeline ? timeline->spanOf(row) : std::nullopt;
    for (std::size_t lane = 0; span && lane < timeline->lanes.size(); ++lane) {
        const auto spans = timeline->lanes[lane].spans();
        auto found = std::ranges::lower_bound(spans, span->start, {}, &Span::start);
        for (; found != spans.end() && found->start == span->start; ++found) {
            if (found->event == span->event) {
                return Hit{lane, *found};
            }
        }
    }
    return std::nullopt;
}

void TimelineWidget::choose(const std::optional<Hit>& hit) {
    current = hit;
    chosen.setCurrent(hit ? timeline->rowOf(hit->span) : std::nullopt);
    update();
}

// What another view has chosen; a run of it that was chosen here stays.
void TimelineWidget::showChosen() {
    const auto row = chosen.current();
    if (timeline && row && !(current && timeline->rowOf(current->span) == row)) {
        current = hitOf(*row);
    } else if (!row) {
        current.reset();
    }
    update();
}

void TimelineWidget::resizeEvent(QResizeEvent*) {
    window.setWidth(width());
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        if (const auto hit = hitAt(help->pos())) {
            const Span& span = hit->span;
            QToolTip::showText(help->globalPos(),
                               tr("%1\n%2 long, from %3")
                                   .arg(toQString(timeline->nameOf(span)),
                                        timeText(static_cast<double>(span.end - span.start)),
                                        timeText(static_cast<double>(span.start))),
                               this);
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / wheelNotch;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        window.pan(-notches * panPart * (window.to() - window.from()));
    } else {
        window.zoom(std::pow(zoomStep, notches), event->position().x());
    }
    event->accept();
    update();
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    dragFrom = event->position().x();
    dragging = false;
    panning = event->button() != Qt::LeftButton;
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (dragFrom < 0 || !timeline || (!dragging && std::abs(x - dragFrom) < dragDistance)) {
        return;
    }
    dragging = true;
    if (panning) {
        window.pan((dragFrom - x) * window.ticksPerPixel());
        dragFrom = x;
        update();
        return;
    }
    const auto tick = [this](double at) {
        const double time = std::clamp(window.timeAt(at), 0.0, static_cast<double>(timeline->length));
        return timeline->origin + static_cast<std::uint64_t>(time);
    };
    chosen.setRange(TickRange{tick(std::min(dragFrom, x)), tick(std::max(dragFrom, x))});
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (!dragging && event->button() == Qt::LeftButton && timeline) {
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
    update();
}

void TimelineWidget::zoomOut() {
    window.zoom(1 / zoomStep, cursorX());
    update();
}

void TimelineWidget::panLeft() {
    window.pan(-panPart * (window.to() - window.from()));
    update();
}

void TimelineWidget::panRight() {
    window.pan(panPart * (window.to() - window.from()));
    update();
}

void TimelineWidget::fitAll() {
    window.fit();
    update();
}

void TimelineWidget::fitChosen() {
    if (current) {
        window.show(static_cast<double>(current->span.start), static_cast<double>(current->span.end),
                    edgeRoom);
        update();
    }
}

void TimelineWidget::nextSpan() {
    step(1);
}

void TimelineWidget::previousSpan() {
    step(-1);
}

void TimelineWidget::step(int by) {
    if (!timeline || timeline->lanes.empty()) {
        return;
    }
    const Hit from = current.value_or(Hit{0, timeline->lanes[0].spans().front()});
    const auto spans = timeline->lanes[from.lane].spans();
    const auto here = std::ranges::lower_bound(spans, from.span.start, {}, &Span::start) - spans.begin();
    const auto next = std::clamp<std::ptrdiff_t>(here + by, 0, static_cast<std::ptrdiff_t>(spans.size()) - 1);
    choose(Hit{from.lane, spans[static_cast<std::size_t>(next)]});
    const Span& now = current->span;
    if (static_cast<double>(now.start) < window.from() || static_cast<double>(now.end) > window.to()) {
        fitChosen();
    }
}

void TimelineWidget::clearRange() {
    chosen.setRange(std::nullopt);
}

}  // namespace et::visualizers

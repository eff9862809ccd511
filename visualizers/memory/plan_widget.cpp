#include "visualizers/memory/plan_widget.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCursor>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace et::visualizers {

using inspector::Step;

namespace {

constexpr double zoomStep = 0.75;
constexpr double panPart = 0.2;      // of the view
constexpr double dragDistance = 4;   // pixels that are no click any more
constexpr double closestBytes = 64;  // the closest look at offsets
constexpr double wheelNotch = 120;
constexpr double edgeRoom = 0.5;  // of a tensor on both sides, when it is fitted
constexpr int curveHeight = 64;
constexpr int gap = 8;

}  // namespace

PlanWidget::PlanWidget(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    measureLabels();
    createActions();
}

void PlanWidget::createActions() {
    const auto add = [this](const QString& text, const QKeySequence& key, auto slot) {
        auto* const action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add(tr("Zoom &In"), Qt::Key_W, [this] { zoom(zoomStep, false, cursor()); });
    add(tr("Zoom &Out"), Qt::Key_S, [this] { zoom(1 / zoomStep, false, cursor()); });
    add(tr("Zoom In on O&ffsets"), Qt::SHIFT | Qt::Key_W, [this] { zoom(zoomStep, true, cursor()); });
    add(tr("Zoom Out of Off&sets"), Qt::SHIFT | Qt::Key_S, [this] { zoom(1 / zoomStep, true, cursor()); });
    add(tr("Pan &Left"), Qt::Key_A, [this] { pan(-panPart, 0); });
    add(tr("Pan &Right"), Qt::Key_D, [this] { pan(panPart, 0); });
    add(tr("Pan &Up"), Qt::Key_Up, [this] { pan(0, panPart); });
    add(tr("Pan &Down"), Qt::Key_Down, [this] { pan(0, -panPart); });
    add(tr("Fit &All"), Qt::Key_Space, [this] { fitAll(); });
    add(tr("Fit the &Chosen Tensor"), Qt::Key_F, [this] { fitChosen(); });
    add(tr("Go to the &Peak"), Qt::Key_P, [this] { showPeak(); });
    add(tr("&Next Tensor"), Qt::Key_Period, [this] { stepBox(1); });
    add(tr("Pre&vious Tensor"), Qt::Key_Comma, [this] { stepBox(-1); });
    add(tr("Copy the P&icture"), QKeySequence::Copy,
        [this] { QApplication::clipboard()->setPixmap(grab()); });
}

QRect PlanWidget::curveArea() const {
    return {labelRoom, gap, std::max(width() - labelRoom - gap, 1), curveHeight};
}

QRect PlanWidget::plotArea() const {
    const int top = curveHeight + 2 * gap;
    return {labelRoom, top, std::max(width() - labelRoom - gap, 1),
            std::max(height() - top - fontMetrics().height() - gap, 1)};
}

const inspector::ArenaTimeline& PlanWidget::arena() const {
    return plan->timeline.arenas[arenaAt];
}

void PlanWidget::setPlan(std::shared_ptr<const MemoryPlan> shown, std::size_t at,
                         std::vector<std::uint64_t> offsets) {
    const bool same = shown == plan && at == arenaAt;
    plan = shown && at < shown->timeline.arenas.size() ? std::move(shown) : nullptr;
    arenaAt = at;
    shownBoxes = plan ? planBoxes(plan->timeline, arena(), offsets) : std::vector<PlanBox>();
    boxesByTime.resize(shownBoxes.size());
    std::iota(boxesByTime.begin(), boxesByTime.end(), std::size_t{0});
    std::ranges::sort(boxesByTime, {}, [this](std::size_t i) {
        return std::tuple(shownBoxes[i].first, shownBoxes[i].offset);
    });
    extent = plan ? std::max<std::uint64_t>(arena().plannedBytes, 1) : 1;
    for (const PlanBox& box : shownBoxes) {
        extent = std::max(extent, box.end());
    }
    const ZoomRange offsetsBefore = view.y;
    view.y = ZoomRange(static_cast<double>(extent), closestBytes, plotArea().height());
    if (same) {
        view.y.keep(offsetsBefore);  // another plan of the same tensors
    } else {
        matches.clear();
        tensor.reset();
        step.reset();
        marked.reset();
        setAxis(PlanAxis(plan ? plan->timeline.steps.size() : 0));
        recolour();
    }
    hovered.reset();
    refresh();
}

void PlanWidget::setAxis(PlanAxis axis) {
    view.axis = std::move(axis);
    view.x = ZoomRange(view.axis.length(), view.axis.closest(), plotArea().width());
    refresh();
}

void PlanWidget::setColours(ColourBy by) {
    colourBy = by;
    recolour();
}

void PlanWidget::recolour() {
    shades = plan ? planColours(plan->timeline, colourBy, isDark()) : PlanColours{};
    refresh();
}

void PlanWidget::setMatches(std::vector<bool> byTensor) {
    matches = std::move(byTensor);
    refresh();
}

void PlanWidget::setChosenTensor(std::optional<std::size_t> chosen) {
    tensor = chosen;
    update();
}

void PlanWidget::setChosenStep(std::optional<Step> chosen) {
    step = chosen;
    update();
}

void PlanWidget::setRange(std::optional<AxisRange> range) {
    marked = range;
    update();
}

void PlanWidget::setTimeUnit(double ticks, const QString& name) {
    ticksPerUnit = ticks;
    unit = name;
    update();
}

void PlanWidget::showRange(const AxisRange& range) {
    view.x.show(range.from, range.to);
    refresh();
}

void PlanWidget::keepWindow(const PlanWindow& before) {
    if (before.axis.isTime() == view.axis.isTime()) {
        view.x.keep(before.x);
    }
    view.y.keep(before.y);
    refresh();
}

void PlanWidget::refresh() {
    layer = {};
    update();
}

void PlanWidget::fitAll() {
    view.x.fit();
    view.y.fit();
    refresh();
}

void PlanWidget::fitChosen() {
    if (const PlanBox* const box = boxOf(tensor)) {
        view.x.show(view.axis.startOf(box->first), view.axis.endOf(box->last), edgeRoom);
        view.y.show(static_cast<double>(box->offset), static_cast<double>(box->end()), edgeRoom);
        refresh();
    }
}

void PlanWidget::showPeak() {
    if (plan) {
        const Step peak = arena().peakStep;
        view.x.show(view.axis.startOf(peak), view.axis.endOf(peak), 10);
        refresh();
        emit stepChosen(peak);
    }
}

void PlanWidget::stepBox(int by) {
    if (shownBoxes.empty()) {
        return;
    }
    const auto count = static_cast<std::ptrdiff_t>(boxesByTime.size());
    const auto now =
        std::ranges::find_if(boxesByTime, [this](std::size_t i) { return shownBoxes[i].tensor == tensor; });
    const std::ptrdiff_t next =
        now == boxesByTime.end() ? (by > 0 ? 0 : count - 1)
                                 : std::clamp<std::ptrdiff_t>(now - boxesByTime.begin() + by, 0, count - 1);
    const PlanBox& box = shownBoxes[boxesByTime[static_cast<std::size_t>(next)]];
    const std::size_t chosen = box.tensor;
    if (!plotArea().toRectF().intersects(rectOf(box))) {
        tensor = chosen;
        fitChosen();
    }
    emit tensorChosen(chosen);
}

void PlanWidget::zoom(double factor, bool offsets, QPointF at) {
    const QRect plot = plotArea();
    if (offsets) {
        view.y.zoom(factor, plot.bottom() + 1 - at.y());
    } else {
        view.x.zoom(factor, at.x() - plot.left());
    }
    refresh();
}

void PlanWidget::pan(double steps, double offsets) {
    view.x.pan(steps);
    view.y.pan(offsets);
    refresh();
}

QPointF PlanWidget::cursor() const {
    const QRectF plot = plotArea();
    const QPointF at = mapFromGlobal(QPointF(QCursor::pos()));
    return underMouse() && plot.contains(at) ? at : plot.center();
}

QRectF PlanWidget::rectOf(const PlanBox& box) const {
    return view.rectOf(box).translated(plotArea().topLeft());
}

const PlanBox* PlanWidget::boxOf(std::optional<std::size_t> of) const {
    const auto found = of ? std::ranges::find(shownBoxes, *of, &PlanBox::tensor) : shownBoxes.end();
    return found == shownBoxes.end() ? nullptr : &*found;
}

// Of boxes that overlap, the smallest: it is painted last.
const PlanBox* PlanWidget::boxAt(const QPointF& position) const {
    if (!plotArea().toRectF().contains(position)) {
        return nullptr;
    }
    const QPointF place = position - plotArea().topLeft();
    for (auto box = shownBoxes.rbegin(); box != shownBoxes.rend(); ++box) {
        if (view.rectOf(*box).contains(place)) {
            return &*box;
        }
    }
    return nullptr;
}

QString PlanWidget::tip(const QPointF& position) const {
    if (!plan) {
        return {};
    }
    if (const PlanBox* const box = boxAt(position)) {
        return toQStringLines(describe(plan->timeline.tensors[box->tensor], plan->view()));
    }
    if (!curveArea().toRectF().contains(position)) {
        return {};
    }
    const Step at = view.axis.stepAt(view.x.valueAt(position.x() - plotArea().left()));
    const auto live = arena().liveBytes[static_cast<std::size_t>(at + 1)];
    const auto name = static_cast<std::size_t>(std::max<Step>(at, 0));
    QString text = tr("%1 alive %2")
                       .arg(QString::fromStdString(inspector::report::readableBytes(live)),
                            toQString(inspector::stepText(plan->timeline, at)));
    if (at >= 0 && name < plan->timeline.stepNames.size()) {
        text += u'\n' + toQString(plan->timeline.stepNames[name]);
    }
    return text;
}

bool PlanWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<const QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tip(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::Leave) {
        hovered.reset();
        update();
    }
    return QWidget::event(event);
}

void PlanWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    } else if (event->type() == QEvent::FontChange) {
        measureLabels();
        refresh();
    }
    QWidget::changeEvent(event);
}

void PlanWidget::resizeEvent(QResizeEvent*) {
    view.x.setPixels(plotArea().width());
    view.y.setPixels(plotArea().height());
    layer = {};
}

void PlanWidget::wheelEvent(QWheelEvent* event) {
    // Some platforms turn the wheel with Alt or Shift to the side.
    const QPoint delta = event->angleDelta();
    const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / wheelNotch;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        pan(-notches * panPart, 0);
    } else {
        zoom(std::pow(zoomStep, notches), event->modifiers().testFlag(Qt::ShiftModifier), event->position());
    }
    event->accept();
}

void PlanWidget::mousePressEvent(QMouseEvent* event) {
    dragFrom = event->position();
    drag = Drag::Pressed;
}

void PlanWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (drag == Drag::None || !plan) {
        const PlanBox* const box = boxAt(at);
        const auto now = box == nullptr ? std::nullopt : std::optional(box->tensor);
        if (now != hovered) {
            hovered = now;
            update();
        }
        return;
    }
    if (drag == Drag::Pressed) {
        if ((at - dragFrom).manhattanLength() < dragDistance) {
            return;
        }
        drag = event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::Marking : Drag::Panning;
    }
    if (drag == Drag::Panning) {
        pan((dragFrom.x() - at.x()) / plotArea().width(), (at.y() - dragFrom.y()) / plotArea().height());
        dragFrom = at;
        return;
    }
    const auto place = [this](double x) {
        return std::clamp(view.x.valueAt(x - plotArea().left()), 0.0, view.axis.length());
    };
    emit rangeMarked(place(std::min(dragFrom.x(), at.x())), place(std::max(dragFrom.x(), at.x())));
}

void PlanWidget::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = drag == Drag::Pressed && event->button() == Qt::LeftButton && plan;
    drag = Drag::None;
    if (!click) {
        return;
    }
    if (const PlanBox* const box = boxAt(event->position())) {
        emit tensorChosen(box->tensor);
    } else if (curveArea().toRectF().contains(event->position())) {
        emit stepChosen(view.axis.stepAt(view.x.valueAt(event->position().x() - plotArea().left())));
    }
}

}  // namespace et::visualizers

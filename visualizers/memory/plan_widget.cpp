#include "visualizers/memory/plan_widget.h"

#include "visualizers/toolkit/keyed_action.h"
#include "visualizers/toolkit/picture_painter.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace et::visualizers {

using inspector::PlanAxis;
using inspector::PlanBox;
using inspector::Step;

namespace {

constexpr double closestBytes = 64;  // minimum visible range of offsets
constexpr double edgeRoom = 0.5;     // margin on both sides of a fitted tensor, relative to its length
constexpr double peakRoom = 10;      // margin in steps on both sides
constexpr int darkBelow = 128;       // lightness

}  // namespace

PlanWidget::PlanWidget(QWidget* parent)
    : ZoomPanWidget({.upDown = true,
                     .zoomsUp = true,
                     .marks = true,
                     .itemName = QStringLiteral("Tensor"),
                     .stepName = QStringLiteral("Tensor")},
                    parent) {
    setAccessibleName(QStringLiteral("Memory plan"));
    keyedAction(
        *this, QStringLiteral("Go to the Pea&k"), Qt::Key_P, [this] { showPeak(); }, KeyScope::Widget);
    keyedAction(
        *this, QStringLiteral("&Copy the Picture"), QKeySequence::Copy,
        [this] { QApplication::clipboard()->setPixmap(grab()); }, KeyScope::Widget);
}

void PlanWidget::setPlan(const std::shared_ptr<const MemoryPlan>& plan, std::size_t arena,
                         const std::vector<std::uint64_t>& offsets) {
    const bool same = shown.content.isOf(plan, arena);
    shown.content = PlanContent(plan, arena, offsets);
    const ZoomRange offsetsBefore = shown.window.y;
    shown.window.y =
        ZoomRange(static_cast<double>(shown.content.extent()), closestBytes, plotArea().height());
    if (same) {
        shown.window.y.keep(offsetsBefore);  // another plan of the same tensors
    } else {
        shown.matches.clear();
        shown.tensor.reset();
        shown.step.reset();
        shown.marked.reset();
        setAxis(PlanAxis(shown.content ? shown.content.timeline().steps.size() : 0));
        recolour();
    }
    shown.hovered.reset();
    refresh();
}

void PlanWidget::setAxis(PlanAxis axis) {
    shown.window.axis = std::move(axis);
    shown.window.x = ZoomRange(shown.window.axis.length(), shown.window.axis.closest(), plotArea().width());
    refresh();
}

void PlanWidget::setColours(ColourBy by) {
    colourBy = by;
    recolour();
}

void PlanWidget::recolour() {
    const bool dark = palette().color(QPalette::Base).lightness() < darkBelow;
    shown.shades = shown.content ? planColours(shown.content.timeline(), colourBy, dark) : PlanColours{};
    refresh();
}

void PlanWidget::setMatches(std::vector<bool> byTensor) {
    shown.matches = std::move(byTensor);
    refresh();
}

void PlanWidget::setChosenTensor(std::optional<std::size_t> tensor) {
    shown.tensor = tensor;
    update();
}

void PlanWidget::setChosenStep(std::optional<Step> step) {
    shown.step = step;
    update();
}

void PlanWidget::setCurrentStep(std::optional<Step> step) {
    shown.current = step;
    update();
}

void PlanWidget::setRange(std::optional<AxisRange> range) {
    shown.marked = range;
    update();
}

void PlanWidget::showRange(const AxisRange& range) {
    shown.window.x.show(range.from, range.to);
    refresh();
}

void PlanWidget::keepWindow(const PlanWindow& before) {
    if (before.axis.isTime() == shown.window.axis.isTime()) {
        shown.window.x.keep(before.x);
    }
    shown.window.y.keep(before.y);
    refresh();
}

void PlanWidget::showPart(double left, double right, double bottom, double top) {
    shown.window.x.show(left, right);
    shown.window.y.show(bottom, top);
    refresh();
}

void PlanWidget::refresh() {
    painter.forget();
    update();
    emit viewMoved();
}

void PlanWidget::paintEvent(QPaintEvent*) {
    PicturePainter canvas(this);
    canvas.fillRect(rect(), palette().base());
    if (shown.content) {
        painter.paint(canvas, shown, areas(), palette());
    }
}

void PlanWidget::resizeEvent(QResizeEvent*) {
    shown.window.x.setPixels(plotArea().width());
    shown.window.y.setPixels(plotArea().height());
    painter.forget();
}

void PlanWidget::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    } else if (event->type() == QEvent::FontChange) {
        resizeEvent(nullptr);
        update();
    }
    ZoomPanWidget::changeEvent(event);
}

void PlanWidget::fitAll() {
    shown.window.x.fit();
    shown.window.y.fit();
    refresh();
}

void PlanWidget::fitChosen() {
    if (const PlanBox* const box = shown.content.boxOf(shown.tensor)) {
        const PlanAxis& axis = shown.window.axis;
        shown.window.x.show(axis.startOf(box->first), axis.endOf(box->last), edgeRoom);
        shown.window.y.show(static_cast<double>(box->offset), static_cast<double>(box->end()), edgeRoom);
        refresh();
    }
}

void PlanWidget::showPeak() {
    if (shown.content) {
        const Step peak = shown.content.arena().peakStep;
        const PlanAxis& axis = shown.window.axis;
        shown.window.x.show(axis.startOf(peak), axis.endOf(peak), peakRoom);
        refresh();
        emit stepChosen(peak);
    }
}

void PlanWidget::selectAdjacent(int by) {
    const PlanBox* const box = shown.content.beside(shown.tensor, by);
    if (box == nullptr) {
        return;
    }
    const std::size_t chosen = box->tensor;
    if (!plotArea().toRectF().intersects(rectOf(*box))) {
        shown.tensor = chosen;
        fitChosen();
    }
    emit tensorChosen(chosen);
}

void PlanWidget::zoom(double factor, Axis axis, const QPointF& at) {
    const QRect plot = plotArea();
    if (axis == Axis::Up) {
        shown.window.y.zoom(factor, plot.bottom() + 1 - at.y());
    } else {
        shown.window.x.zoom(factor, at.x() - plot.left());
    }
    refresh();
}

// Offset 0 is at the bottom.
void PlanWidget::pan(const QPointF& pixels) {
    shown.window.x.pan(pixels.x() / plotArea().width());
    shown.window.y.pan(-pixels.y() / plotArea().height());
    refresh();
}

QRectF PlanWidget::rectOf(const PlanBox& box) const {
    return shown.window.rectOf(box).translated(plotArea().topLeft());
}

const PlanBox* PlanWidget::boxAt(const QPointF& position) const {
    const QRect plot = plotArea();
    return plot.toRectF().contains(position) ? shown.content.boxAt(shown.window, position - plot.topLeft())
                                             : nullptr;
}

Step PlanWidget::stepAt(const QPointF& position) const {
    return shown.window.axis.stepAt(shown.window.x.valueAt(position.x() - plotArea().left()));
}

QString PlanWidget::spokenValue() const {
    const auto box = std::ranges::find_if(
        boxes(), [this](const PlanBox& each) { return shown.tensor && each.tensor == *shown.tensor; });
    return box == boxes().end() ? QString() : shown.content.tipOf(*box);
}

QString PlanWidget::tipAt(const QPointF& at) const {
    if (!shown.content) {
        return {};
    }
    if (const PlanBox* const box = boxAt(at)) {
        return shown.content.tipOf(*box);
    }
    return curveArea().toRectF().contains(at) ? shown.content.tipOf(stepAt(at)) : QString();
}

void PlanWidget::hover(std::optional<QPointF> at) {
    const PlanBox* const box = at ? boxAt(*at) : nullptr;
    const auto now = box == nullptr ? std::nullopt : std::optional(box->tensor);
    if (std::exchange(shown.hovered, now) != now) {
        emit pointed(now);
        update();
    }
}

void PlanWidget::setGlowing(std::optional<std::size_t> tensor) {
    if (std::exchange(shown.hovered, tensor) != tensor) {
        update();
    }
}

void PlanWidget::mark(double from, double to) {
    if (shown.content) {
        const auto place = [this](double x) {
            return std::clamp(shown.window.x.valueAt(x - plotArea().left()), 0.0, shown.window.axis.length());
        };
        emit rangeMarked(place(from), place(to));
    }
}

void PlanWidget::click(const QPointF& at) {
    if (const PlanBox* const box = boxAt(at)) {
        emit tensorChosen(box->tensor);
    } else if (shown.content && curveArea().toRectF().contains(at)) {
        emit stepChosen(stepAt(at));
    }
}

}  // namespace et::visualizers

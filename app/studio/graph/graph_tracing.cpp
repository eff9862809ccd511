#include "app/studio/graph/graph_tracing.h"

#include "app/studio/start_command.h"
#include "visualizers/graph/graph_canvas.h"

#include <QAction>
#include <QMenu>
#include <QSpinBox>
#include <QToolBar>

#include <utility>

namespace et::studio {

using core::GraphNodeId;
using inspector::WalkTo;

namespace {

constexpr int maxSteps = 99;

}  // namespace

GraphTracing::GraphTracing(visualizers::GraphCanvas& shown, QToolBar& tools, QObject* parent)
    : QObject(parent), canvas(shown), steps(new QSpinBox(&tools)) {
    steps->setObjectName(QStringLiteral("traceSteps"));
    steps->setRange(0, maxSteps);
    steps->setSpecialValueText(QStringLiteral("any distance"));
    steps->setSuffix(QStringLiteral(" steps"));
    steps->setToolTip(QStringLiteral("Maximum distance for tracing inputs and outputs"));
    QMenu& menu = *addMenuButton(tools, QStringLiteral("Trace"),
                                 QStringLiteral("Highlight inputs, outputs and paths of the selected box"));
    menu.addAction(add(QStringLiteral("Trace &Inputs"),
                       QStringLiteral("Show all boxes that the selected box depends on (I)"), Qt::Key_I,
                       &GraphTracing::inputs));
    menu.addAction(add(QStringLiteral("Trace &Outputs"),
                       QStringLiteral("Show all boxes that depend on the selected box (O)"), Qt::Key_O,
                       &GraphTracing::outputs));
    menu.addAction(add(QStringLiteral("&Path Between"),
                       QStringLiteral("Show paths between the selected box and the previous one (P)"),
                       Qt::Key_P, &GraphTracing::between));
    menu.addAction(add(QStringLiteral("Clear the T&race"), QStringLiteral("Highlight everything again (Esc)"),
                       Qt::Key_Escape, &GraphTracing::clear));
    addFields(menu, {{QStringLiteral("Maximum distance"), steps}});
}

QAction* GraphTracing::add(const QString& text, const QString& tip, const QKeySequence& key,
                           void (GraphTracing::*slot)()) {
    auto* const action = new QAction(text, this);
    action->setToolTip(tip);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, slot);
    canvas.addAction(action);
    return action;
}

std::vector<GraphNodeId> GraphTracing::chosenNodes() const {
    const auto box = canvas.currentBox();
    return canvas.scene() && box ? canvas.scene()->diagram().boxes[*box].nodes : std::vector<GraphNodeId>();
}

void GraphTracing::follow() {
    auto now = chosenNodes();
    if (!now.empty() && now != last) {
        before = std::exchange(last, std::move(now));
    }
}

void GraphTracing::forget() {
    last.clear();
    before.clear();
}

void GraphTracing::trace(WalkTo direction) {
    const auto nodes = chosenNodes();
    if (!nodes.empty()) {
        const auto far =
            steps->value() == 0 ? inspector::anyDistance : static_cast<std::size_t>(steps->value());
        canvas.highlight(&visualizers::Highlights::traced,
                         inspector::reachable(canvas.scene()->graph(), nodes, direction, far));
    }
}

void GraphTracing::inputs() {
    trace(WalkTo::Inputs);
}

void GraphTracing::outputs() {
    trace(WalkTo::Outputs);
}

void GraphTracing::between() {
    if (canvas.scene() && !before.empty() && !last.empty()) {
        canvas.highlight(&visualizers::Highlights::traced,
                         inspector::between(canvas.scene()->graph(), before, last));
    }
}

void GraphTracing::clear() {
    canvas.highlight(&visualizers::Highlights::traced, {});
}

}  // namespace et::studio

#include "app/studio/breakpoint_command.h"

#include "app/studio/panel.h"
#include "visualizers/debug_state.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/keyed_action.h"

namespace et::studio {

using visualizers::DebugState;
using visualizers::Selection;

namespace {

/// Empty without a selection.
visualizers::BreakLocation selectedLocation(const Selection& selection) {
    visualizers::BreakLocation location;
    const auto& chosen = selection.currentOperator();
    const auto handles = selection.currentHandles();
    if (chosen && chosen->delegated.empty()) {
        location.place = *chosen;
    } else {
        location.handles.assign(handles.begin(), handles.end());
    }
    return location;
}

}  // namespace

QAction* addBreakpointToggle(QWidget& view, const PanelContext& context) {
    DebugState& debugger = context.debugger;
    const Selection& selection = context.selection;
    QAction* const action = visualizers::keyedAction(
        view, QStringLiteral("Set or Delete a &Breakpoint"), Qt::Key_B,
        [&debugger, &selection] { debugger.toggle(selectedLocation(selection)); },
        visualizers::KeyScope::Widget);
    const auto follow = [action, &debugger, &selection] {
        const auto location = selectedLocation(selection);
        action->setEnabled(debugger.available() && (location.place || !location.handles.empty()));
    };
    QObject::connect(&selection, &Selection::currentChanged, action, follow);
    QObject::connect(&debugger, &DebugState::availableChanged, action, follow);
    follow();
    return action;
}

}  // namespace et::studio

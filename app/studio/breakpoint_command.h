#pragma once

class QAction;
class QWidget;

namespace et::studio {

struct PanelContext;

/// Adds a command to `view` that sets or deletes a breakpoint on the selected operator. Its key works while
/// the view has the focus; it is enabled while an operator of a program is selected.
QAction* addBreakpointToggle(QWidget& view, const PanelContext& context);

}  // namespace et::studio

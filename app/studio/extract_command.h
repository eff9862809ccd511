#pragma once

#include <QList>

class QAction;
class QWidget;

namespace et::studio {

class Panel;
struct PanelContext;

/// Adds the command "Extract…" to a panel whose selection is the window's: opens a dialog for extracting the
/// selected operators as a separate program. Enabled while an operator of the open program is selected.
QAction* addExtract(Panel& panel, const PanelContext& context);

/// Shows the actions in a context menu of `view`, which owns them.
void offerOnRightClick(QWidget& view, const QList<QAction*>& actions);

}  // namespace et::studio

#pragma once

#include <QString>

class QWidget;

namespace et::studio {

/// Sets the accessible names of widgets below `root` that have none, from their visible texts: the
/// placeholder of a field, the tool tip of a combo box, the title of a page. Widgets without any of these get
/// `title`, the panel's title.
void nameWidgets(QWidget& root, const QString& title);

}  // namespace et::studio

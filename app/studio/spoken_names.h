#pragma once

#include <QString>

class QWidget;

namespace et::studio {

/// Gives widgets below `root` that have no name for screen readers the one that others read: the hint in an
/// empty field, the tip of a choice, the title of a page. What has none of these is called `title`, as the
/// room.
void nameWidgets(QWidget& root, const QString& title);

}  // namespace et::studio

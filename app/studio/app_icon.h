#pragma once

#include <QIcon>

class QPainter;

namespace et::studio {

/// The icon of et-studio, painted (no image plugin is needed): a trace's bars under a magnifying ring.
[[nodiscard]] QIcon appIcon();

/// The same, onto the square from (0, 0) to (1, 1).
void paintAppIcon(QPainter& painter);

}  // namespace et::studio

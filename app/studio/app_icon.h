#pragma once

#include <QIcon>

class QPainter;

namespace et::studio {

/// The icon of et-studio, painted without an image plugin: a trace's bars under a magnifying ring.
[[nodiscard]] QIcon appIcon();

/// Paints the icon onto the square from (0, 0) to (1, 1).
void paintAppIcon(QPainter& painter);

}  // namespace et::studio

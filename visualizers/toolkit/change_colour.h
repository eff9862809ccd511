#pragma once

#include <QColor>

class QPalette;

namespace et::visualizers {

/// Orange for what takes longer than elsewhere, blue for what takes less, which everybody can tell apart; the
/// more, the stronger, to half as much again. `change`: the part by which it does; 0: nearly the ground.
[[nodiscard]] QColor changeColour(double change, const QPalette& palette);

}  // namespace et::visualizers

#pragma once

#include <QColor>

class QPalette;

namespace et::visualizers {

/// Orange for slower, blue for faster, which are distinguishable with any colour vision; stronger for larger
/// changes, up to half as much again. `change`: relative change; 0: almost the background.
[[nodiscard]] QColor changeColour(double change, const QPalette& palette);

}  // namespace et::visualizers

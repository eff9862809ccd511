#pragma once

#include "inspector/format/palette.h"

#include <QColor>

class QPalette;

namespace et::visualizers {

/// The colour of a meaning on the background of `palette`, light or dark.
[[nodiscard]] QColor meaningColour(inspector::format::Meaning meaning, const QPalette& palette);

/// Blends `share` of `colour` over `base`: 0 is the base, 1 the colour.
[[nodiscard]] QColor mixedColour(const QColor& base, const QColor& colour, double share);

/// Black or white, whichever has more contrast.
[[nodiscard]] QColor inkOn(const QColor& ground);

}  // namespace et::visualizers

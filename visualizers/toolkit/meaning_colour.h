#pragma once

#include "inspector/format/palette.h"

#include <QColor>

class QPalette;

namespace et::visualizers {

/// The colour of a meaning on the ground of `palette`, light or dark.
[[nodiscard]] QColor meaningColour(inspector::report::Meaning meaning, const QPalette& palette);

/// Black or white, whichever reads better on it.
[[nodiscard]] QColor inkOn(const QColor& ground);

}  // namespace et::visualizers

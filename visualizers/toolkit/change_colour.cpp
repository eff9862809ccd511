#include "visualizers/toolkit/change_colour.h"

#include "visualizers/toolkit/meaning_colour.h"

#include <QPalette>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

using inspector::format::Meaning;

constexpr double strongestChange = 0.5;  // larger changes have the same colour
constexpr double sameShare = 0.14;       // fraction of the text colour for unchanged times
// Fraction of a meaning's colour, limited for text contrast.
constexpr double changeTintLight = 0.6;
constexpr double changeTintDark = 0.4;
constexpr int darkBelow = 128;

}  // namespace

QColor changeColour(double change, const QPalette& palette) {
    const QColor base = palette.color(QPalette::Base);
    const double tint = base.lightness() < darkBelow ? changeTintDark : changeTintLight;
    const Meaning meaning = change > 0 ? Meaning::Error : Meaning::Kernel;
    const QColor strongest = mixedColour(base, meaningColour(meaning, palette), tint);
    const QColor same = mixedColour(base, palette.color(QPalette::Text), sameShare);
    return mixedColour(same, strongest, std::min(std::abs(change) / strongestChange, 1.0));
}

}  // namespace et::visualizers

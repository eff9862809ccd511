#include "visualizers/toolkit/meaning_colour.h"

#include <QPalette>

namespace et::visualizers {

QColor meaningColour(inspector::report::Meaning meaning, const QPalette& palette) {
    constexpr int middle = 128;
    const auto& traits = inspector::report::traitsOf(meaning);
    const bool dark = palette.color(QPalette::Base).lightness() < middle;
    return QColor::fromRgb(dark ? traits.dark : traits.light);
}

QColor inkOn(const QColor& ground) {
    return QColor::fromRgb(inspector::report::inkOn(ground.rgb() & 0xffffffU));
}

}  // namespace et::visualizers

#include "visualizers/toolkit/meaning_colour.h"

#include <QPalette>

#include <cmath>

namespace et::visualizers {

QColor meaningColour(inspector::format::Meaning meaning, const QPalette& palette) {
    constexpr int middle = 128;
    const auto& traits = inspector::format::infoOf(meaning);
    const bool dark = palette.color(QPalette::Base).lightness() < middle;
    return QColor::fromRgb(dark ? traits.dark : traits.light);
}

QColor mixedColour(const QColor& base, const QColor& colour, double share) {
    const auto part = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return {part(base.red(), colour.red()), part(base.green(), colour.green()),
            part(base.blue(), colour.blue())};
}

QColor inkOn(const QColor& ground) {
    return QColor::fromRgb(inspector::format::inkOn(ground.rgb() & 0xffffffU));
}

}  // namespace et::visualizers

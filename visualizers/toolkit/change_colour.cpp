#include "visualizers/toolkit/change_colour.h"

#include <QPalette>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr double strongestChange = 0.5;  // more is no stronger colour
constexpr double sameShare = 0.14;       // of the text's colour, for what is the same
constexpr int darkBelow = 128;

QColor shadeBetween(const QColor& base, const QColor& colour, double share) {
    const auto part = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return QColor(part(base.red(), colour.red()), part(base.green(), colour.green()),
                  part(base.blue(), colour.blue()));
}

}  // namespace

QColor changeColour(double change, const QPalette& palette) {
    const QColor base = palette.color(QPalette::Base);
    const bool dark = base.lightness() < darkBelow;
    const QColor slower = dark ? QColor(190, 95, 0) : QColor(240, 150, 60);
    const QColor faster = dark ? QColor(0, 95, 170) : QColor(110, 170, 235);
    const QColor same = shadeBetween(base, palette.color(QPalette::Text), sameShare);
    return shadeBetween(same, change > 0 ? slower : faster,
                        std::min(std::abs(change) / strongestChange, 1.0));
}

}  // namespace et::visualizers

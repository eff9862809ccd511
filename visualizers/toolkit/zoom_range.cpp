#include "visualizers/toolkit/zoom_range.h"

#include <algorithm>

namespace et::visualizers {

void ZoomRange::place(double first, double length) {
    span = std::clamp(length, closest, total);
    left = std::clamp(first, 0.0, total - span);
}

void ZoomRange::zoom(double factor, double pixel) {
    const double value = valueAt(pixel);
    const double length = std::clamp(span * factor, closest, total);
    place(value - pixel * length / screen, length);
}

void ZoomRange::show(double first, double last, double margin) {
    const double length = std::clamp((last - first) * (1 + 2 * margin), closest, total);
    place((first + last) / 2 - length / 2, length);
}

void ZoomRange::keep(const ZoomRange& before) {
    if (before.isWhole() || before.from() >= total) {
        fit();
    } else {
        show(before.from(), before.to());
    }
}

}  // namespace et::visualizers

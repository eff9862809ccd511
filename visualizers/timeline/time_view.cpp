#include "visualizers/timeline/time_view.h"

#include <algorithm>

namespace et::visualizers {

namespace {

/// The closest look: less than a tick a pixel shows nothing new, but room for names.
constexpr double fewestTicks = 20;

}  // namespace

void TimeView::place(double first, double length) {
    span = std::clamp(length, std::min(fewestTicks, total), total);
    left = std::clamp(first, 0.0, total - span);
}

void TimeView::zoom(double factor, double x) {
    const double time = timeAt(x);
    const double length = std::clamp(span * factor, std::min(fewestTicks, total), total);
    place(time - x * length / pixels, length);
}

void TimeView::show(double first, double last, double margin) {
    const double around = (last - first) * margin;
    const double length = std::max(last - first + 2 * around, std::min(fewestTicks, total));
    place((first + last) / 2 - length / 2, length);
}

}  // namespace et::visualizers

#pragma once

#include "inspector/format/quantities.h"
#include "inspector/plot/frame.h"

namespace et::inspector::plot {

/// Adds lines at round times in [from, to], which fill the width of the area, with labels above the area. All
/// labels are distinct: if times are too long for the space between lines, the first one is absolute and the
/// others are offsets from it. Times are in the unit of `measure`.
void addTimeAxis(Scene& scene, const Frame& frame, double from, double to, format::Measure measure);

}  // namespace et::inspector::plot

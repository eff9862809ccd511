#pragma once

#include "visualizers/timeline/timeline.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QString>

#include <vector>

class QFontMetrics;

namespace et::visualizers {

/// A vertical line through the timeline, labelled with its time.
struct AxisMark {
    double time = 0;  ///< ticks from the timeline's origin
    QString text{};
};
inline constexpr int axisMarkMargin = 3;  ///< pixels from the line to the text

/// Marks of the visible part at round times. All texts are distinct: if times are too long for the space
/// between marks, the first one is absolute and the others are offsets from it.
[[nodiscard]] std::vector<AxisMark> axisMarks(const Timeline& timeline, const ZoomRange& window,
                                              const QFontMetrics& metrics);

}  // namespace et::visualizers

#pragma once

#include "visualizers/timeline/timeline.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QString>

#include <vector>

class QFontMetrics;

namespace et::visualizers {

/// A line through the timeline, and the time that stands beside it.
struct AxisMark {
    double time = 0;  ///< ticks from the timeline's origin
    QString text{};
};
inline constexpr int axisMarkMargin = 3;  ///< pixels from the line to the text

/// The marks of what is on screen, at round times. No two have the same text: where times are too long for
/// the room between marks, the first one is written out and the others say how much later they are.
[[nodiscard]] std::vector<AxisMark> axisMarks(const Timeline& timeline, const ZoomRange& window,
                                              const QFontMetrics& metrics);

}  // namespace et::visualizers

#pragma once

#include "visualizers/graph/graph_painter.h"

#include <QImage>

namespace et::visualizers {

/// Renders a whole scene at a scale, reduced to at most `maxPixels` on the longer side.
[[nodiscard]] QImage graphImage(const GraphScene& scene, const inspector::BoxColours& fills,
                                const GraphMarks& marks, const GraphStyle& style, double scale,
                                int maxPixels);

}  // namespace et::visualizers

#pragma once

#include "visualizers/graph/graph_painter.h"

#include <QImage>

namespace et::visualizers {

/// The whole of a scene at a scale, or as large as fits into `maxPixels` on the longer side.
[[nodiscard]] QImage graphImage(const GraphScene& scene, const inspector::BoxColours& fills,
                                const GraphMarks& marks, const GraphStyle& style, double scale,
                                int maxPixels);

}  // namespace et::visualizers

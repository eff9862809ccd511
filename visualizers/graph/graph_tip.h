#pragma once

#include "inspector/graph/graph_overlay.h"
#include "visualizers/graph/graph_scene.h"

#include <QPointF>
#include <QString>

namespace et::visualizers {

/// Describes the item at a scene point: a box with the meaning of its colour, an edge within a distance of
/// `near`, or the open group around it; empty if there is nothing.
[[nodiscard]] QString graphTip(const GraphScene& scene, const inspector::BoxColours& fills,
                               const QPointF& point, double near);

}  // namespace et::visualizers

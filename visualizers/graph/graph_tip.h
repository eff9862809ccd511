#pragma once

#include "inspector/graph/graph_overlay.h"
#include "visualizers/graph/graph_scene.h"

#include <QPointF>
#include <QString>

namespace et::visualizers {

/// What is at a point of a scene: a box with what its colour says, a line at most `near` away, or the open
/// group around; empty where there is nothing.
[[nodiscard]] QString graphTip(const GraphScene& scene, const inspector::BoxColours& fills,
                               const QPointF& point, double near);

}  // namespace et::visualizers

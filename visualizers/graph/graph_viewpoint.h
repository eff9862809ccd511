#pragma once

#include "visualizers/graph/graph_marking.h"
#include "visualizers/graph/graph_place.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/plane_view.h"

#include <QSizeF>

namespace et::visualizers {

/// Shows all of a scene, or the start of one that would be too small to read. `view` has the scene's content.
void showStart(PlaneView& view, const GraphScene& scene, const QSizeF& widget);

/// Shows another scene of the same graph so that what is chosen, or else what was in the middle, stays where
/// it was on screen, in the same size. `old` showed `before`.
void keepView(PlaneView& view, const GraphScene& scene, const GraphMarks& marks, const PlaneView& old,
              const GraphScene& before, const QSizeF& widget);

/// What is on screen and chosen, to come back to it when the graph has been read again.
[[nodiscard]] GraphPlace placeOf(const GraphScene& scene, const PlaneView& view, const GraphMarking& marking,
                                 const QSizeF& widget);
/// Shows and chooses it, as far as the graph still has it.
void showPlace(const GraphPlace& place, const GraphScene& scene, PlaneView& view, GraphMarking& marking,
               const QSizeF& widget);

}  // namespace et::visualizers

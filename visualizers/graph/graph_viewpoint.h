#pragma once

#include "visualizers/graph/graph_marking.h"
#include "visualizers/graph/graph_scene.h"
#include "visualizers/graph/graph_view_state.h"
#include "visualizers/graph/plane_view.h"

#include <QSizeF>

namespace et::visualizers {

/// Shows a whole scene, or the start of one that would be too small to read. `view` has the scene's content.
void showStart(PlaneView& view, const GraphScene& scene, const QSizeF& widget);

/// Shows another scene of the same graph at the same scale, with the selection or else the centre at the same
/// position on screen. `old` showed `before`.
void keepView(PlaneView& view, const GraphScene& scene, const GraphMarks& marks, const PlaneView& old,
              const GraphScene& before, const QSizeF& widget);

/// View and selection, to restore after the graph has been reloaded.
[[nodiscard]] GraphViewState placeOf(const GraphScene& scene, const PlaneView& view,
                                     const GraphMarking& marking, const QSizeF& widget);
/// Restores view and selection as far as the graph still contains them.
void showPlace(const GraphViewState& place, const GraphScene& scene, PlaneView& view, GraphMarking& marking,
               const QSizeF& widget);

}  // namespace et::visualizers

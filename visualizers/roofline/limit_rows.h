#pragma once

#include "visualizers/roofline/roofline_scene.h"
#include "visualizers/toolkit/report_table_model.h"

namespace et::visualizers {

/// The points of a scene as table rows, in order: actual time, attainable time and possible gain.
[[nodiscard]] ReportRows limitRows(const RooflineScene& scene);

}  // namespace et::visualizers

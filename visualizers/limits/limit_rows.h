#pragma once

#include "visualizers/limits/roofline_scene.h"
#include "visualizers/toolkit/report_table_model.h"

namespace et::visualizers {

/// The points of a scene as a table, a row for each in their order: what each took, what it could take, and
/// what that would win.
[[nodiscard]] ReportRows limitRows(const RooflineScene& scene);

}  // namespace et::visualizers

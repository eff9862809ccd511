#pragma once

#include "visualizers/shapes/shape_study.h"
#include "visualizers/toolkit/report_table_model.h"

namespace et::visualizers {

/// The sizes that were tried as a table, those that fail first.
[[nodiscard]] ReportRows triedRows(const ShapeStudy& study);

}  // namespace et::visualizers

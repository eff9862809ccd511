#pragma once

#include "visualizers/shapes/shape_study.h"
#include "visualizers/toolkit/report_table_model.h"

namespace et::visualizers {

/// The tested sizes as a table, failures first.
[[nodiscard]] ReportRows triedRows(const ShapeStudy& study);

}  // namespace et::visualizers

#pragma once

#include "inspector/roofline/roofline_plot.h"
#include "visualizers/toolkit/report_table_model.h"

namespace et::visualizers {

/// The points of a plot as table rows, in order: actual time, attainable time and possible gain.
[[nodiscard]] ReportRows limitRows(const inspector::RooflinePlot& plot);

}  // namespace et::visualizers

#pragma once

#include "app/output/cells.h"
#include "app/tasks/shapes/shapes_run.h"

#include <string>

namespace et::output {

/// docs/reference/json_correctness.md, shapes.
[[nodiscard]] Dict shapesInfo(const tasks::ShapesResult& result);

/// The "curves" member of shapesInfo().
[[nodiscard]] List curvesInfo(const tasks::ShapesResult& result);

/// Text for a terminal. With `all`, cases that pass are listed as well.
[[nodiscard]] std::string shapesText(const tasks::ShapesResult& result, bool all);

/// The curves as an SVG picture: time above, memory below, one column per symbol.
[[nodiscard]] std::string shapesPicture(const tasks::ShapesResult& result);

/// "grows linearly up to 81, then by a power of 1.9": one-line description of a curve.
[[nodiscard]] std::string trendText(const tasks::SizeTrend& trend, std::int64_t last);

}  // namespace et::output

#pragma once

#include "app/tasks/shapes/shapes_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// docs/reference/json_correctness.md, shapes.
[[nodiscard]] inspector::report::Dict shapesInfo(const ShapesResult& result);

/// The "curves" member of shapesInfo().
[[nodiscard]] inspector::report::List curvesInfo(const ShapesResult& result);

/// Text for a terminal. With `all`, cases that pass are listed as well.
[[nodiscard]] std::string shapesText(const ShapesResult& result, bool all);

/// The curves as an SVG picture: time above, memory below, one column per symbol.
[[nodiscard]] std::string shapesPicture(const ShapesResult& result);

/// "grows linearly up to 81, then by a power of 1.9": one-line description of a curve.
[[nodiscard]] std::string trendText(const SizeTrend& trend, std::int64_t last);

}  // namespace et::app

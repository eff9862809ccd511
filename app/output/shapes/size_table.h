#pragma once

#include "app/output/cells.h"
#include "app/tasks/shapes/shapes_run.h"

#include <span>
#include <string>

// Output of `bench --dim`: a program measured over its sizes.
namespace et::output {

/// One row per model and size.
[[nodiscard]] Table sizeTable(std::span<const tasks::ShapesResult> models);
/// One line per curve, describing how its time grows.
[[nodiscard]] std::string growthLines(std::span<const tasks::ShapesResult> models);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] Dict sizesInfo(std::span<const tasks::ShapesResult> models);

}  // namespace et::output

#pragma once

#include "app/tasks/shapes/shapes_run.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

// Output of `bench --dim`: a program measured over its sizes.
namespace et::app {

/// One row per model and size.
[[nodiscard]] inspector::report::Table sizeTable(std::span<const ShapesResult> models);
/// One line per curve, describing how its time grows.
[[nodiscard]] std::string growthLines(std::span<const ShapesResult> models);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] inspector::report::Dict sizesInfo(std::span<const ShapesResult> models);

}  // namespace et::app

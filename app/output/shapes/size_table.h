#pragma once

#include "app/tasks/shapes/shapes_run.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

// Output of `bench --dim`: a program measured over its sizes.
namespace et::output {

/// One row per model and size.
[[nodiscard]] inspector::format::Table sizeTable(std::span<const tasks::ShapesResult> models);
/// One line per curve, describing how its time grows.
[[nodiscard]] std::string growthLines(std::span<const tasks::ShapesResult> models);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] inspector::format::Dict sizesInfo(std::span<const tasks::ShapesResult> models);

}  // namespace et::output

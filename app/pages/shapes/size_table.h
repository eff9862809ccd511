#pragma once

#include "app/tasks/shapes/shapes_run.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

// What `bench --dim` measured: a program over its sizes.
namespace et::app {

/// A row for each model and size.
[[nodiscard]] inspector::report::Table sizeTable(std::span<const ShapesResult> models);
/// A line for each curve: how its time grows.
[[nodiscard]] std::string growthLines(std::span<const ShapesResult> models);
/// docs/json.md, "JSON of a bench over sizes".
[[nodiscard]] inspector::report::Dict sizesInfo(std::span<const ShapesResult> models);

}  // namespace et::app

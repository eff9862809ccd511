#pragma once

#include "app/tasks/shapes/shape_report.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/value.h"

namespace et::tasks {

/// Rounding tolerance of a program's outputs, relative to their largest value: depends on the coarsest
/// floating dtype of the graph, and is higher if it quantizes.
[[nodiscard]] double relativeTolerance(const etrecord::ExportedGraph& graph);

/// Compares an output with the graph's result. Values other than numbers exceed the tolerance if they are not
/// equal; so do integers, unless the graph quantizes.
[[nodiscard]] ShapeOutput outputDistance(const core::Value& output,
                                         const backends::reference::ReferenceValue& reference,
                                         double tolerance);

}  // namespace et::tasks

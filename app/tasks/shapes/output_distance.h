#pragma once

#include "app/tasks/shapes/shape_report.h"
#include "backends/reference/reference_value.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/value.h"

namespace et::app {

/// What rounding explains of a program's outputs, over their largest number: by the coarsest floating dtype
/// of the graph, and more where it quantizes.
[[nodiscard]] double relativeTolerance(const etrecord::ExportedGraph& graph);

/// An output beside what the graph gives. Anything but numbers is beyond tolerance where it is not equal;
/// whole numbers are as well, unless the graph quantizes.
[[nodiscard]] ShapeOutput outputDistance(const core::Value& output,
                                         const backends::reference::ReferenceValue& reference,
                                         double tolerance);

}  // namespace et::app

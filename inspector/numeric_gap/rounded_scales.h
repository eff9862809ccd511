#pragma once

#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/reference_values.h"
#include "runtime/core/result.h"

// What a program's format loses of a graph: weights that are quantized in blocks have a scale a block, which
// the formats of delegates hold as bfloat16, whatever the graph has.
namespace et::inspector {

/// Of the values in `given` those that dequantize constants in blocks, as they are with scales rounded to
/// bfloat16. Empty where there are none. Errors: as Interpreter::replay().
[[nodiscard]] core::Result<GraphValues> weightsOfRoundedScales(backends::reference::Interpreter& interpreter,
                                                               const GraphWalk& graph,
                                                               const GraphValues& given);

}  // namespace et::inspector

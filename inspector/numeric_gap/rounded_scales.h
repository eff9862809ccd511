#pragma once

#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/reference_values.h"
#include "runtime/core/result.h"

// Precision loss of a program's format: weights quantized in blocks have one scale per block, which delegate
// formats store as bfloat16, whatever the graph's dtype.
namespace et::inspector {

/// For the values in `given` that are constants dequantized in blocks, returns the values with scales rounded
/// to bfloat16. Empty if there are none. Errors: as Interpreter::replay().
[[nodiscard]] core::Result<GraphValues> weightsOfRoundedScales(backends::reference::Interpreter& interpreter,
                                                               const GraphWalk& graph,
                                                               const GraphValues& given);

}  // namespace et::inspector

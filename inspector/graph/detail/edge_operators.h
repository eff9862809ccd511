#pragma once

#include "inspector/join/instruction_nodes.h"
#include "runtime/core/graph.h"

namespace et::inspector::graph::detail {

/// The graph of a delegate, whose nodes with debug handles get the attributes edgeOperatorsAttribute and
/// "module" from the record's Edge nodes.
[[nodiscard]] core::ModelGraph withEdgeOperators(core::ModelGraph graph, const InstructionNodes& edges);

}  // namespace et::inspector::graph::detail

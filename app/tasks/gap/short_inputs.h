#pragma once

#include "app/tasks/gap/gap_input_sets.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/result.h"

#include <string>

namespace et::tasks {

/// Cuts the inputs of an export in their dynamic sizes: exporters give them the largest ones, for which a
/// language model computes thousands of tokens. A size that the graph calls by a symbol becomes 32, or the
/// symbol's minimum if that is larger; inputs with computed sizes ("2*s0") are not cut. Returns what was cut
/// ("tokens [1, 2047] to [1, 32]"); empty: nothing. Errors: those of reading tensors.
[[nodiscard]] core::Result<std::string> shortenInputs(const etrecord::ExportedGraph& graph, GapInputSet& set);

}  // namespace et::tasks

#pragma once

#include "etrecord/exported_graph.h"

namespace et::etrecord {

/// The buffer that an output updates at the end of a run; null for other outputs.
[[nodiscard]] const InputSpec* mutatedBuffer(const ExportedGraph& graph, const OutputSpec& output);

/// Whether an output updates the input, which is then a buffer.
[[nodiscard]] bool isMutatedBuffer(const ExportedGraph& graph, const InputSpec& input);

/// Whether a run changes the results of a second run.
[[nodiscard]] bool hasMutations(const ExportedGraph& graph);

}  // namespace et::etrecord

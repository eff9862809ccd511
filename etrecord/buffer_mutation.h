#pragma once

#include "etrecord/exported_graph.h"

namespace et::etrecord {

/// The buffer that a run replaces with the value of an output; null if the output is none of that kind.
[[nodiscard]] const InputSpec* mutatedBuffer(const ExportedGraph& graph, const OutputSpec& output);

/// Whether the input is a buffer that a run replaces.
[[nodiscard]] bool isMutatedBuffer(const ExportedGraph& graph, const InputSpec& input);

/// Whether a run changes the results of a second run.
[[nodiscard]] bool hasMutations(const ExportedGraph& graph);

}  // namespace et::etrecord

#pragma once

#include "etrecord/detail/json.h"
#include "etrecord/exported_graph.h"
#include "runtime/core/json_writer.h"

namespace et::etrecord::detail {

/// Kinds of the graph's inputs and outputs; empty for a file without a signature.
[[nodiscard]] core::Result<> readSignature(const JsonValue& graphModule, ExportedGraph& graph);
void writeSignature(core::JsonWriter& out, const ExportedGraph& graph);

}  // namespace et::etrecord::detail

#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/archive/json.h"
#include "runtime/core/json_writer.h"

namespace et::etrecord::detail {

/// Inputs, outputs, nodes and values of a graph (a program's main graph or a subgraph), with handles indexed.
[[nodiscard]] core::Result<> readGraph(const archive::JsonValue& json, ExportedGraph& graph);
void writeGraph(core::JsonWriter& out, const ExportedGraph& graph);

}  // namespace et::etrecord::detail

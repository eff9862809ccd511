#pragma once

#include "backends/payload_bytes.h"
#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <string_view>

// Parts of payloads from compilers whose formats are not public.
namespace et::backends {

/// Adds code as a constant input of the node; nothing if it is empty.
void addOpaqueCode(core::ModelGraph& graph, core::GraphNode& node, std::string_view name, core::Bytes code);

/// Adds the numbers as attributes.
void addByteCounts(core::GraphNode& node, const PayloadBytes& bytes);
/// Those of a payload of which the first `described` bytes are described.
void addByteCounts(core::GraphNode& node, core::Bytes payload, std::size_t described);

}  // namespace et::backends

#pragma once

#include "backends/payload_bytes.h"
#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <string_view>
#include <vector>

// Parts of payloads from compilers whose formats are not public.
namespace et::backends {

/// Adds code as a constant input of the node; nothing if it is empty.
void addOpaqueCode(core::ModelGraph& graph, core::GraphNode& node, std::string_view name, core::Bytes code);

/// Adds the numbers as attributes.
void addByteCounts(core::GraphNode& node, const PayloadBytes& bytes);
/// Those of a payload of which the first `described` bytes are described.
void addByteCounts(core::GraphNode& node, core::Bytes payload, std::size_t described);

/// A payload whose only operator is compiled code.
struct OpaqueModel {
    std::string_view kind;                           ///< of the node
    std::vector<core::GraphAttribute> attributes{};  ///< of the node
    std::vector<core::GraphValue> arguments{};       ///< of a call, with their roles; inputs first
    std::string_view codeName;
    core::Bytes code;
    std::size_t described = 0;  ///< bytes at the start of the payload that are described
};
[[nodiscard]] core::ModelGraph describeOpaque(core::Bytes payload, OpaqueModel model);

}  // namespace et::backends

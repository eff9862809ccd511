#pragma once

#include "inspector/join/node_fields.h"

#include <vector>

// Selects the nodes that determine the module of several nodes computed together.
namespace et::inspector {

/// Whether the node only changes the number format: it quantizes, dequantizes, or computes their parameters.
[[nodiscard]] bool quantizes(const etrecord::Node& node);

/// The nodes that commonModules() considers: those with modules. Quantizing nodes are excluded if there are
/// others, since quantizers write them without their operator's module.
[[nodiscard]] std::vector<const etrecord::Node*> nodesWithModules(EdgeNodes nodes);

}  // namespace et::inspector

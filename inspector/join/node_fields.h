#pragma once

#include "etrecord/record.h"
#include "inspector/format/table.h"

#include <optional>
#include <span>

/// Source locations from the Edge nodes of an event, a delegated operator or a tensor.
namespace et::inspector {

using EdgeNodes = std::span<const etrecord::Node* const>;

/// The Python source lines of the nodes, unique: "model.py:7", the innermost frame outside PyTorch.
[[nodiscard]] format::List sourceLines(EdgeNodes nodes);

/// The modules that contain all of the nodes, outermost first, ignoring nodes without modules; borrowed from
/// one of the nodes. Nothing if no node has modules.
[[nodiscard]] std::optional<std::span<const etrecord::ModuleFrame>> commonModules(EdgeNodes nodes);

/// The modules common to both, borrowed from the first.
[[nodiscard]] std::span<const etrecord::ModuleFrame> sharedModules(
    std::span<const etrecord::ModuleFrame> first, std::span<const etrecord::ModuleFrame> second);

/// Name of the innermost common module: "features.0", "" for the root. No value if no node has modules.
[[nodiscard]] format::Cell commonModule(EdgeNodes nodes);

}  // namespace et::inspector

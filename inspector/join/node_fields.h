#pragma once

#include "etrecord/record.h"
#include "inspector/format/table.h"

#include <optional>
#include <span>

/// What the Edge nodes of something (an event, an operator of a delegate, a tensor) say of where it comes
/// from.
namespace et::inspector::report {

using EdgeNodes = std::span<const etrecord::Node* const>;

/// The Python lines of the nodes, each once: "model.py:7", the innermost frame that is not PyTorch's own.
[[nodiscard]] List sourceLines(EdgeNodes nodes);

/// The modules that all of the nodes are in, outermost first, of those nodes that have any; borrowed from one
/// of them. Nothing: no node has.
[[nodiscard]] std::optional<std::span<const etrecord::ModuleFrame>> commonModules(EdgeNodes nodes);

/// The modules that both are in, borrowed from the first.
[[nodiscard]] std::span<const etrecord::ModuleFrame> sharedModules(
    std::span<const etrecord::ModuleFrame> first, std::span<const etrecord::ModuleFrame> second);

/// The name of the innermost of them: "features.0", "" for the root. No value: no node has modules.
[[nodiscard]] Cell commonModule(EdgeNodes nodes);

}  // namespace et::inspector::report

#pragma once

#include "etrecord/record.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Source locations from the Edge nodes of an event, a delegated operator or a tensor.
namespace et::inspector {

/// Whether the name is the placeholder that exporter passes write for added nodes that are in no module.
[[nodiscard]] bool isNoModule(std::string_view name);

/// The modules that contain a node, outermost first; borrowed from it. Empty if there is only a placeholder
/// (isNoModule()).
[[nodiscard]] std::span<const etrecord::ModuleFrame> modulesOf(const etrecord::Node& node);

using EdgeNodes = std::span<const etrecord::Node* const>;

/// The Python source lines of the nodes, unique: "model.py:7", the innermost frame outside PyTorch.
[[nodiscard]] format::List sourceLines(EdgeNodes nodes);

/// The modules that contain all nodesWithModules(), outermost first; borrowed from one of them. Nothing if no
/// node has modules.
[[nodiscard]] std::optional<std::span<const etrecord::ModuleFrame>> commonModules(EdgeNodes nodes);

/// The modules common to both, borrowed from the first.
[[nodiscard]] std::span<const etrecord::ModuleFrame> sharedModules(
    std::span<const etrecord::ModuleFrame> first, std::span<const etrecord::ModuleFrame> second);

/// Display name of nodes that are computed together: "conv2d + relu". Empty if there are none, or too many
/// for one name. `graph`: the graph of the nodes, for the ranks of their results; may be null.
[[nodiscard]] std::string joinedName(const etrecord::ExportedGraph* graph, EdgeNodes nodes);
/// Number of dimensions of a node's result; 0: unknown.
[[nodiscard]] std::size_t resultRank(const etrecord::ExportedGraph* graph, const etrecord::Node& node);

/// Name of the innermost common module: "features.0", "" for the root. No value if no node has modules.
[[nodiscard]] format::Cell commonModule(EdgeNodes nodes);

}  // namespace et::inspector

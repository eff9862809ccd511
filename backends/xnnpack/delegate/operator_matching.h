#pragma once

#include "backends/xnnpack/delegate/graph_runtime.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Whether this may be the name of the node's operator.
[[nodiscard]] bool mayBe(const LibraryNode& node, std::string_view name);

/// The nodes that one operator computes.
struct MatchedOperator {
    /// Indices into Payload::nodes: its own node, and those that the library fused into it. Nothing: unknown.
    std::optional<std::vector<std::size_t>> nodes{};
    /// Name in traces, if known and different from the library's; otherwise empty.
    std::string_view tracedAs{};
};

/// Matches each operator of a runtime with nodes of the payload, by name. The library preserves the order of
/// nodes but drops nodes that it fuses into others. Clamps that it adds are considered only if the operators
/// do not match without them. Operators are matched once from the front and once from the back; where both
/// agree, the match is unique. Only the rest is unknown.
[[nodiscard]] std::vector<MatchedOperator> matchNodes(const Payload& payload,
                                                      std::span<const LibraryNode> nodes,
                                                      std::span<const std::string> names);

}  // namespace et::backends::xnnpack

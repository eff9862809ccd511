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

/// Whether an operator of the node may have this name.
[[nodiscard]] bool mayBe(const LibraryNode& node, std::string_view name);

/// What one operator computes.
struct MatchedOperator {
    /// Indices into Payload::nodes: its own, and those that the library fused into it. Nothing: not known.
    std::optional<std::vector<std::size_t>> nodes{};
    /// The name in traces, where it is known and not the library's; else empty.
    std::string_view tracedAs{};
};

/// Which nodes of a payload each operator of a runtime computes, by their names. The library keeps the order
/// of nodes but drops those that it fuses into another. Operators and nodes are matched once from the front
/// and once from the back; what both find is the only possibility. Only the rest is not known.
[[nodiscard]] std::vector<MatchedOperator> matchNodes(const Payload& payload,
                                                      std::span<const LibraryNode> nodes,
                                                      std::span<const std::string> names);

}  // namespace et::backends::xnnpack

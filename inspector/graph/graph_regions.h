#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Regions of a graph that are not groups.
namespace et::inspector {

/// Attribute of a record's nodes: "VulkanBackend, instruction 0", "instruction 3".
inline constexpr std::string_view runsIn = "runs in";

/// Where nodes without a delegate run.
inline constexpr std::string_view notDelegated = "not delegated";

/// Where a node runs: the name of the delegate that it is in or was lowered to; "not delegated"; empty if
/// unknown.
[[nodiscard]] std::string partitionOf(const core::ModelGraph& graph, const core::GraphNode& node);

enum class QuantizationRole : std::uint8_t { Compute, Quantize, Dequantize };

/// Role of a node, from its operator in PyTorch's quantized_decomposed or another namespace. A delegate's
/// conversions, which can do either, count as Compute.
[[nodiscard]] QuantizationRole quantizationRole(const core::GraphNode& node);

struct QuantizedClusters {
    std::vector<std::optional<std::size_t>> of;  ///< by node; numbered in graph order
    std::size_t count = 0;
};

/// Clusters of computing nodes between dequantize and quantize nodes, including these: the patterns that a
/// backend should run with integers.
[[nodiscard]] QuantizedClusters quantizedClusters(const core::ModelGraph& graph);

}  // namespace et::inspector

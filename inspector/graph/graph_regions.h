#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Parts of a graph that belong together without being a group.
namespace et::inspector {

/// Attribute of a record's nodes: "VulkanBackend, instruction 0", "instruction 3".
inline constexpr std::string_view runsIn = "runs in";

/// Where a node runs: the name of the delegate that it is in, or was lowered to; "not delegated"; empty where
/// unknown.
[[nodiscard]] std::string partitionOf(const core::ModelGraph& graph, const core::GraphNode& node);

enum class QuantizationRole : std::uint8_t { Compute, Quantize, Dequantize };

/// What a node does to numbers, by its operator: of PyTorch's quantized_decomposed namespace or of another.
/// A delegate's conversions, which do either, count as computing.
[[nodiscard]] QuantizationRole quantizationRole(const core::GraphNode& node);

struct QuantizedClusters {
    std::vector<std::optional<std::size_t>> of;  ///< by node; numbered in the order of the graph
    std::size_t count = 0;
};

/// What computes between dequantizing and quantizing, with the nodes that do these: what a backend is to run
/// with integers.
[[nodiscard]] QuantizedClusters quantizedClusters(const core::ModelGraph& graph);

}  // namespace et::inspector

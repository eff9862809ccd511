#pragma once

#include "backends/xnnpack/nodes/node_path.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Nodes fused into custom kernels. Each is the only reader of the previous node's result.
/// - A clamp after a convolution that changes neither its datatype nor its scale; the library fuses these as
///   well.
/// - Nodes after a dequantization up to the next quantization, if all are elementwise: hard swish, which
///   PyTorch's quantizer leaves in fp32. See custom_table.h.
class JoinedNodes {
  public:
    /// `paths`: by node. Sets dequantizations that start a fused node to CustomFaster.
    [[nodiscard]] static JoinedNodes find(const Payload& payload, const Shapes& shapes,
                                          std::span<NodePath> paths);

    /// Nodes fused into `node`, as indices of Payload::nodes, in execution order.
    [[nodiscard]] std::span<const std::size_t> of(std::size_t node) const;
    /// Whether `node` is fused into an earlier one.
    [[nodiscard]] bool isJoined(std::size_t node) const { return joined[node]; }

  private:
    void join(std::size_t node, std::vector<std::size_t> behind);

    std::map<std::size_t, std::vector<std::size_t>> followers;  ///< by the first node
    std::vector<bool> joined;                                   ///< by node
};

/// Merges a convolution and the clamp fused into it into one node.
[[nodiscard]] PayloadNode withClamp(const PayloadNode& convolution, const PayloadNode& clamp);

}  // namespace et::backends::xnnpack

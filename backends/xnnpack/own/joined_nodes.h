#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/own/node_path.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Nodes that one of ours computes as well. Each is the only one that reads what the one before it makes.
/// - A clamp behind a convolution that changes neither its datatype nor its scale: the library joins them
///   likewise.
/// - What is behind a dequantization up to the next quantization, where all of it computes numbers one by
///   one: hard swish, which PyTorch's quantizer leaves in fp32. See own_table.h.
class JoinedNodes {
  public:
    /// `paths`: by node. Dequantizations with which a node of ours begins become OwnFaster.
    [[nodiscard]] static JoinedNodes find(const Payload& payload, const Shapes& shapes,
                                          std::span<NodePath> paths);

    /// Those that are joined with `node`, as indices of Payload::nodes, in the order in which they run.
    [[nodiscard]] std::span<const std::size_t> of(std::size_t node) const;
    /// Whether `node` is joined with one before it.
    [[nodiscard]] bool isJoined(std::size_t node) const { return joined[node]; }

  private:
    void join(std::size_t node, std::vector<std::size_t> behind);

    std::map<std::size_t, std::vector<std::size_t>> followers;  ///< by the first node
    std::vector<bool> joined;                                   ///< by node
};

/// A convolution and the clamp that is joined with it, as one node.
[[nodiscard]] PayloadNode withClamp(const PayloadNode& convolution, const PayloadNode& clamp);

}  // namespace et::backends::xnnpack

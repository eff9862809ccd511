#pragma once

#include "backends/xnnpack/library/constant_data.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <xnnpack.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace et::backends::xnnpack {

struct SubgraphDeleter {
    void operator()(xnn_subgraph_t graph) const { xnn_delete_subgraph(graph); }
};
using Subgraph = std::unique_ptr<std::remove_pointer_t<xnn_subgraph_t>, SubgraphDeleter>;

/// A node of the library's graph: the payload's node it belongs to, and its operator names.
struct LibraryNode {
    std::size_t payloadNode = 0;
    std::string_view operatorNames;
    std::string_view tracedAs{};  ///< both as in NodeKindInfo
    bool isAddedClamp = false;    ///< added for the range of the node before it; the library may fuse it
};

/// Whether the library computes the range of a node with a clamp of its own.
[[nodiscard]] bool isClampedSeparately(const PayloadNode& node);
/// That clamp.
[[nodiscard]] LibraryNode addedClamp(std::size_t payloadNode);

struct BuiltGraph {
    Subgraph graph;
    std::vector<LibraryNode> nodes;  ///< in execution order
    bool isForOneShape = false;      ///< inputs of other shapes need another graph
};

/// Builds the library's graph of a payload with checked types and shapes, with external ids 0, 1, 2 ... for
/// its externals. Each payload node becomes one library node, except for features that the library lacks or
/// computes wrongly:
/// - fp16 that it does not compute exactly is computed in fp32 between conversions (see node_path.h);
/// - a matrix product with blockwise 4-bit weights computes its last row wrongly if the rows do not fill a
///   tile of the kernel, so it gets one more row, which is cut off;
/// - pooling with a window of one pixel and no stride is a copy.
/// `constants` must outlive the result and everything made from it. `widenHalf`: compute fp16 as fp32.
/// Errors: Unsupported (an operator or combination of datatypes that the library lacks; names the node).
[[nodiscard]] core::Result<BuiltGraph> buildSubgraph(const Payload& payload, const ConstantData& constants,
                                                     const Shapes& shapes, bool widenHalf);

}  // namespace et::backends::xnnpack

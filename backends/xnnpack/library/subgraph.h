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

/// A node of the library's graph: the payload's node that it is part of, and what its own operator is called.
struct LibraryNode {
    std::size_t payloadNode = 0;
    std::string_view operatorNames;
    std::string_view tracedAs{};  ///< as NodeTraits has both
};

struct BuiltGraph {
    Subgraph graph;
    std::vector<LibraryNode> nodes;  ///< in the order in which they run
    bool isForOneShape = false;      ///< other shapes of the inputs need another graph
};

/// The library's graph of a payload that types and shapes were checked of, with the external ids 0, 1, 2 ...
/// for its externals. A node of the payload is one of the library, but for what the library lacks or has
/// wrong:
/// - fp16 that it does not compute exactly is computed in fp32 between conversions (see node_path.h);
/// - a matrix product with blockwise 4-bit weights gets its last row wrong where the rows do not fill a tile
///   of the kernel, so it gets one row more, which is cut off;
/// - pooling with a window of one pixel and no stride is a copy.
/// `constants` must outlive all that is made of it. `widenHalf`: compute fp16 as fp32. Errors: Unsupported
/// (an operator or combination of datatypes that the library does not have: names the node).
[[nodiscard]] core::Result<BuiltGraph> buildSubgraph(const Payload& payload, const ConstantData& constants,
                                                     const Shapes& shapes, bool widenHalf);

}  // namespace et::backends::xnnpack

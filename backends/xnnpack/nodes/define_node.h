#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <xnnpack.h>

#include <array>
#include <cstdint>

// One function a form of nodes: adds a node of it to the library's graph.
namespace et::backends::xnnpack {

/// A node with the library's ids of its values.
struct NodeToDefine {
    xnn_subgraph_t graph;
    const PayloadNode& node;
    std::array<std::uint32_t, 5> inputs;  ///< XNN_INVALID_VALUE_ID: left out
    std::array<std::uint32_t, 2> outputs;
    OutputRange range;

    template <class Fields>
    [[nodiscard]] const Fields& fields() const {
        return std::get<Fields>(node.fields);
    }
};

// define_elementwise.cpp
[[nodiscard]] xnn_status defineUnary(const NodeToDefine& what);
[[nodiscard]] xnn_status defineBinary(const NodeToDefine& what);
[[nodiscard]] xnn_status defineSoftmax(const NodeToDefine& what);
[[nodiscard]] xnn_status defineCopy(const NodeToDefine& what);

// define_products.cpp
[[nodiscard]] xnn_status defineFullyConnected(const NodeToDefine& what);
[[nodiscard]] xnn_status defineConvolution(const NodeToDefine& what);
[[nodiscard]] xnn_status defineDepthwiseConvolution(const NodeToDefine& what);
[[nodiscard]] xnn_status defineTransposedConvolution(const NodeToDefine& what);
[[nodiscard]] xnn_status defineBatchMatrixMultiply(const NodeToDefine& what);
[[nodiscard]] xnn_status defineAttention(const NodeToDefine& what);

// define_pooling.cpp
[[nodiscard]] xnn_status defineAveragePooling(const NodeToDefine& what);
[[nodiscard]] xnn_status defineMaxPooling(const NodeToDefine& what);
[[nodiscard]] xnn_status defineArgMaxPooling(const NodeToDefine& what);
[[nodiscard]] xnn_status defineGlobalAveragePooling(const NodeToDefine& what);

// define_layout.cpp
[[nodiscard]] xnn_status defineConcatenate(const NodeToDefine& what);
[[nodiscard]] xnn_status defineTranspose(const NodeToDefine& what);
[[nodiscard]] xnn_status defineReshape(const NodeToDefine& what);
[[nodiscard]] xnn_status defineSlice(const NodeToDefine& what);
[[nodiscard]] xnn_status definePad(const NodeToDefine& what);
[[nodiscard]] xnn_status defineResize(const NodeToDefine& what);

}  // namespace et::backends::xnnpack

#pragma once

#include "runtime/core/cost.h"
#include "runtime/core/result.h"
#include "runtime/executor/delegate_description.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Types of the table of node kinds in nodes/node_table.cpp; all code that depends on the kind uses that
// table.
namespace et::backends::xnnpack {

struct Payload;
struct PayloadNode;

/// Operation of a node. The values are those of the payload format.
enum class NodeKind : std::uint8_t {
    Add = 1,
    FullyConnected,
    Softmax,
    Sigmoid,
    Transpose,
    Clamp,
    Convolution,
    Divide,
    Resize,
    Pad,
    AveragePooling,
    Minimum,
    DepthwiseConvolution,
    MaxPooling,
    Multiply,
    Subtract,
    Floor,
    Convert,
    GlobalAveragePooling,
    Reshape,
    ArgMaxPooling,
    SquareRoot,
    Ceiling,
    HardSwish,
    LeakyRelu,
    Maximum,
    Negate,
    Square,
    Elu,
    Abs,
    PRelu,
    Concatenate2,
    Concatenate3,
    Concatenate4,
    Slice,
    Attention,
    BatchMatrixMultiply,
    Concatenate5,
    TransposedConvolution,
    ReciprocalSquareRoot,
    Log,
    Gelu,
    Tanh,
    Exp,
    Sine,
    Copy,
    Cosine,
};

/// Set of fields of a node; nodes of one form are read, checked and built by the same functions.
enum class NodeForm : std::uint8_t {
    Unary,
    UnaryNumber,
    Convert,
    Binary,
    BatchMatrixMultiply,
    Concatenate,
    FullyConnected,
    Convolution,
    DepthwiseConvolution,
    TransposedConvolution,
    AveragePooling,
    MaxPooling,
    ArgMaxPooling,
    GlobalAveragePooling,
    Softmax,
    Copy,
    Transpose,
    Reshape,
    Slice,
    Pad,
    Resize,
    Attention,
};

class NodeReader;
class NodeTypes;
class ShapeStep;
struct NodeToDefine;
struct ReuseLimits;
struct ScaleRule;

using executor::DimensionOrder;

/// A library flag that the payload of a node may set.
struct NodeFlag {
    std::uint32_t bit;
    std::string_view name;  ///< for display: "transposed weights"
};

/// Functions for nodes of one form. The comments state the meaning of null.
struct NodeFormInfo {
    NodeForm form;
    core::Cost cost;  ///< how the work of a node is counted
    /// Reads fields, inputs and outputs. Errors: Format, Unsupported, Limit.
    core::Result<> (*read)(NodeReader& reader);
    /// Whether the library supports the node with these datatypes.
    bool (*accepts)(const NodeTypes& types);
    /// Checks values that the library assumes to be valid, by node index. Null: there are none.
    core::Result<> (*check)(const Payload& payload, std::size_t node) = nullptr;
    /// Computes the shapes of the outputs from those of the inputs.
    core::Result<> (*shape)(ShapeStep& step);
    /// Adds the node to the library's graph.
    xnn_status (*define)(const NodeToDefine& what);
    /// Dimension order of the output for an input in `order` with the same number of dimensions. Null:
    /// unchanged.
    DimensionOrder (*follow)(const PayloadNode& node, const DimensionOrder& order) = nullptr;
    /// Whether the library fuses a following clamp into the node's range. Null: never.
    bool (*fusesClamp)(const PayloadNode& node) = nullptr;
    /// Records which shapes a runtime of the library cannot change. Null: all may change.
    void (*limitReuse)(const Payload& payload, std::size_t node, ReuseLimits& limits) = nullptr;

    std::span<const NodeFlag> flags{};
    std::string_view inputNames{};  ///< separated by spaces; empty: no names needed
    std::uint8_t scaleDims = 0;     ///< for a product: number of dimensions of its input that share a scale
    bool fusesIntoReader = false;   ///< if the library drops it: fused into its reader instead of its input
    bool isOperatorEachInput = false;  ///< the library runs one operator per input
    std::string_view
        laterNames{};  ///< operator names in later versions, in addition to those of NodeKindInfo
};

/// Properties of a node kind.
struct NodeKindInfo {
    NodeKind kind;
    std::string_view name;  ///< as spelled in the compiler's schema: "XNNConv2d"
    const NodeFormInfo* functions;
    std::uint8_t inputs;             ///< number of inputs, including an optional bias
    std::int8_t operation;           ///< for unary and binary forms: xnn_unary_operator, xnn_binary_operator
    const ScaleRule* scales;         ///< scale limits of the library's integer arithmetic; null: none
    std::string_view operatorNames;  ///< prefixes of the library's operator names: "Convert (|Copy ("
    std::string_view tracedAs;       ///< name in traces if the library's name is ambiguous; otherwise empty
    bool isExactInHalf;              ///< the library's fp16 operator rounds only once, at the end

    [[nodiscard]] NodeForm form() const { return functions->form; }
};

}  // namespace et::backends::xnnpack

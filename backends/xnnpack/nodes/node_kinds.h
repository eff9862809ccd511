#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace et::backends::xnnpack {

/// What a node computes. Numbers are those of the payload.
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

/// Which fields a node has; nodes of one form are read, checked and built by the same code.
enum class NodeForm : std::uint8_t {
    Unary,
    UnaryNumber,
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

/// One kind of node.
struct NodeKindFacts {
    NodeKind kind;
    std::string_view name;  ///< as the compiler's schema spells it: "XNNConv2d"
    NodeForm form;
    std::uint8_t inputs;    ///< values that it reads, an optional bias among them
    std::uint32_t flags;    ///< flags of the library that its payload may set
    std::int8_t operation;  ///< of unary and binary forms: xnn_unary_operator, xnn_binary_operator
    std::string_view
        operatorNames;  ///< how the library's names of its operators start: "Convert (|Unary Elementwise ("
    std::string_view
        tracedAs;  ///< the name in traces where the library's is that of several kinds; else empty
    bool isExactInHalf = false;  ///< the library's fp16 operator rounds once, at its end
};

/// All kinds, by number from 1.
[[nodiscard]] std::span<const NodeKindFacts> nodeKinds();

/// Null for a number that we do not know.
[[nodiscard]] const NodeKindFacts* nodeKind(std::uint8_t number);

}  // namespace et::backends::xnnpack

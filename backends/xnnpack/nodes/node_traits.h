#pragma once

#include "runtime/core/result.h"
#include "runtime/executor/delegate_traits.h"

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// What is known of the kinds of nodes, one row a kind; everything that depends on the kind goes through it.
namespace et::backends::xnnpack {

struct Payload;
struct PayloadNode;

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

/// Which fields a node has; nodes of one form are read, checked and built by the same functions.
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

/// A flag of the library that the payload of a node may set.
struct NodeFlag {
    std::uint32_t bit;
    std::string_view name;  ///< for people: "transposed weights"
};

/// What is done with a node, one function each. Functions that may be null say what then holds.
struct FormTraits {
    NodeForm form;
    /// Reads fields, inputs and outputs. Errors: Format, Unsupported, Limit.
    core::Result<> (*read)(NodeReader& reader);
    /// Whether the library computes the node on values of these datatypes.
    bool (*accepts)(const NodeTypes& types);
    /// Checks numbers that the library takes for granted, by index of the node. Null: there are none.
    core::Result<> (*check)(const Payload& payload, std::size_t node) = nullptr;
    /// Gives the outputs the shapes that follow from those of the inputs.
    core::Result<> (*shape)(ShapeStep& step);
    /// Adds the node to the library's graph.
    xnn_status (*define)(const NodeToDefine& what);
    /// The order of the output's dimensions, after an input in `order` that has as many as the output. Null:
    /// the same.
    DimensionOrder (*follow)(const PayloadNode& node, const DimensionOrder& order) = nullptr;
    /// Whether the library joins the range of a clamp behind the node with that of the node. Null: never.
    bool (*fusesClamp)(const PayloadNode& node) = nullptr;
    /// Notes which shapes a runtime of the library cannot change. Null: it may change all.
    void (*limitReuse)(const Payload& payload, std::size_t node, ReuseLimits& limits) = nullptr;

    std::span<const NodeFlag> flags{};
    std::string_view inputNames{};     ///< with blanks between; empty: there is nothing to tell apart
    std::uint8_t scaleDims = 0;        ///< of a product: dimensions of its input that share a scale
    bool goesIntoReader = false;       ///< where the library drops it: into what reads it, not what it reads
    bool isOperatorEachInput = false;  ///< the library runs an operator for each input
    std::string_view laterNames{};     ///< what later versions call operators, beside NodeTraits's
};

/// One kind of node.
struct NodeTraits {
    NodeKind kind;
    std::string_view name;  ///< as the compiler's schema spells it: "XNNConv2d"
    const FormTraits* functions;
    std::uint8_t inputs;             ///< values that it reads, an optional bias among them
    std::int8_t operation;           ///< of unary and binary forms: xnn_unary_operator, xnn_binary_operator
    const ScaleRule* scales;         ///< which the library's integer arithmetic has; null: none
    std::string_view operatorNames;  ///< how the library's names of its operators start: "Convert (|Copy ("
    std::string_view
        tracedAs;        ///< the name in traces where the library's is that of several kinds; else empty
    bool isExactInHalf;  ///< the library's fp16 operator rounds once, at its end

    [[nodiscard]] NodeForm form() const { return functions->form; }
};

/// All kinds, by number from 1.
[[nodiscard]] std::span<const NodeTraits> nodeKinds();

/// Null for a number that we do not know.
[[nodiscard]] const NodeTraits* nodeKind(std::uint8_t number);

}  // namespace et::backends::xnnpack

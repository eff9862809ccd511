#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/lowering/method_emission.h"
#include "backends/lowering/weight_store.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/payload_draft.h"
#include "backends/xnnpack/lower/quantized_weights.h"
#include "runtime/core/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::backends::xnnpack {

struct OperatorRow;
using lowering::NodeIndex;

/// Dimensions of an image: batch, channels, height, width.
inline constexpr std::size_t imageRank = 4;

/// Memory layout of a value inside a delegate. The library computes images with channels last.
enum class Layout : std::uint8_t {
    Plain,        ///< as in the graph
    ChannelsLast  ///< for four dimensions: NHWC
};

/// A node that moves a result's elements to the graph's layout.
struct Rearrangement {
    NodeKind kind{};
    NodeFields fields{};
    std::vector<std::uint32_t> from{};  ///< sizes of its input
};

/// Properties of a node that a converter adds.
struct NodeProperties {
    Layout layout = Layout::Plain;  ///< of the result
    NodeFields fields{};
    std::uint32_t flags = 0;
    std::optional<OutputRange> range{};  ///< for a clamp
    std::string_view result{};           ///< value that the node computes, if it is another node's result
    std::vector<Rearrangement> then{};   ///< nodes after this one; empty: the node computes the result itself
};

/// Converts some nodes of a graph to a payload. Converters (operator_rows.h) read values from it and add
/// nodes; it inserts layout conversions, fuses clamps into preceding nodes, and determines which values cross
/// the border.
class PartConversion {
  public:
    PartConversion(lowering::EdgeMethod& of, Constants& known, std::span<const NodeIndex> nodes,
                   lowering::WeightStore& store);

    /// Errors: those of Constants::get() and of the converters; Format (the resulting payload cannot be read
    /// back).
    [[nodiscard]] core::Result<lowering::DelegatedPart> run();

    // Interface for converters. Values are named as in the graph.

    [[nodiscard]] const lowering::EdgeMethod& edge() const { return method; }
    [[nodiscard]] bool isConstant(std::string_view value) const { return constants.has(value); }
    /// Row-major float32, converted from any float dtype of the record. Errors: those of Constants::get();
    /// Unsupported.
    [[nodiscard]] core::Result<std::vector<float>> floats(std::string_view value);
    /// Sizes; upper bounds for symbolic ones.
    [[nodiscard]] std::vector<std::int64_t> sizesOf(std::string_view value) const;
    [[nodiscard]] Datatype datatypeOf(std::string_view value) const;

    /// The layout in which a value exists, or in which it comes from outside.
    [[nodiscard]] Layout layoutOf(std::string_view value) const;
    /// A layout for the result of an elementwise operator: that of operands that already exist.
    [[nodiscard]] Layout commonLayout(std::span<const std::string_view> operands) const;
    /// The value in a layout. Errors: those of Constants::get().
    [[nodiscard]] core::Result<ValueIndex> read(std::string_view operand, Layout layout);
    /// A constant with an element for each channel (dimension 1) of an operand of this rank and layout, or
    /// one for all. Errors: those of Constants::get().
    [[nodiscard]] core::Result<ValueIndex> perChannel(std::string_view value, std::size_t rank,
                                                      Layout layout);
    /// A constant with one element, for nodes that read constants in each run.
    [[nodiscard]] ValueIndex number(float number, Datatype datatype);
    /// A constant of the payload, for nodes that pack it, such as convolutions and products: ExecuTorch's
    /// delegate frees its source. `hint`: base of its name.
    [[nodiscard]] ValueIndex weights(std::span<const float> elements, std::vector<std::uint32_t> sizes,
                                     std::string_view hint, Datatype datatype = Datatype::Fp32);

    /// Whether the current node is computed with int8: reading a dequantized operand then returns the
    /// quantized value, and the result is quantized.
    [[nodiscard]] bool hasIntegers() const { return integers; }
    /// Scale and zero point of an operand of an int8 node.
    [[nodiscard]] PerTensorQuantization scaleOf(std::string_view operand) const;
    /// Integer weights of a product; nothing if it has none that the library supports. Errors: those of
    /// Constants::get().
    [[nodiscard]] core::Result<std::optional<QuantizedWeight>> integerWeight(std::string_view value,
                                                                             std::size_t outputDim);
    /// Weights of a product in the payload: `order` of their dimensions; outputs are dimension `outputDim` of
    /// the result.
    [[nodiscard]] core::Result<ValueIndex> integerFilter(const QuantizedWeight& weight,
                                                         std::span<const std::uint8_t> order,
                                                         std::uint32_t outputDim);
    /// A bias for int8 products, with scales derived from those of both operands.
    [[nodiscard]] ValueIndex integerBias(std::span<const float> bias, float inputScale,
                                         std::span<const float> weightScales, std::string_view hint);
    /// An operand quantized in each run, with a scale for each index of all dimensions except the last
    /// `sharing` ones.
    [[nodiscard]] core::Result<ValueIndex> readDynamic(const etrecord::Node& from, std::string_view source,
                                                       Layout layout, std::uint32_t sharing);

    /// Whether the part computes a node.
    [[nodiscard]] bool contains(const etrecord::Node& node) const;
    /// The only reader of a value, if it is in the part and the value is not needed outside.
    [[nodiscard]] const etrecord::Node* onlyReader(std::string_view value) const;
    /// Skips a node that is computed by an earlier one.
    void skip(const etrecord::Node& node);

    /// Adds a node that computes the first result of `from`, including a following clamp.
    void give(const etrecord::Node& from, NodeKind kind, std::vector<ValueIndex> inputs,
              NodeProperties words = {});
    /// Adds an intermediate node, whose value is not in the graph.
    ValueIndex between(const etrecord::Node& from, NodeKind kind, std::vector<ValueIndex> inputs,
                       DraftValue value, NodeFields fields = {}, std::uint32_t flags = 0);
    /// A value of the same type as another.
    [[nodiscard]] DraftValue alike(ValueIndex value) const;
    /// Result of concatenating values along an axis in memory order.
    [[nodiscard]] DraftValue joined(std::span<const ValueIndex> parts, std::uint32_t axis) const;
    /// Makes the operand the result of the node, in all layouts that exist. Errors: those of read().
    [[nodiscard]] core::Result<> pass(const etrecord::Node& from, std::string_view operand);

  private:
    struct Places {
        std::array<std::optional<ValueIndex>, 2> at;  ///< by Layout
        std::optional<ValueIndex>& operator[](Layout layout) { return at[static_cast<std::size_t>(layout)]; }
        const std::optional<ValueIndex>& operator[](Layout layout) const {
            return at[static_cast<std::size_t>(layout)];
        }
    };

    /// End of the chain after a node's first result or `result`: a following clamp and quantization.
    struct Tail {
        std::string_view result;
        std::optional<OutputRange> range;
        const etrecord::Node* clamp = nullptr;
        const etrecord::Node* quantizer = nullptr;
    };
    [[nodiscard]] Tail tailOf(std::string_view result, NodeKind kind) const;
    [[nodiscard]] core::Error named(core::Error error) const;
    core::Result<bool> computesIntegers(const etrecord::Node& node, const OperatorRow& row);
    core::Result<bool> hasIntegerProduct(const etrecord::Node& node);
    [[nodiscard]] bool isInside(std::string_view value) const;
    [[nodiscard]] std::string_view sourceOf(std::string_view value) const;
    [[nodiscard]] std::optional<PerTensorQuantization> quantizationOf(std::string_view value) const;
    core::Result<> dequantize(Places& places, std::string_view value, Layout layout);
    [[nodiscard]] Layout outsideLayout(std::string_view value) const;
    [[nodiscard]] DraftValue describe(std::string_view value, Layout layout) const;
    core::Result<ValueIndex> constant(std::string_view value, Layout layout);
    core::Result<reference::ReferenceTensor> argument(std::string_view value);
    ValueIndex addConstant(DraftValue value, lowering::PartConstant constant);
    std::string_view finish(std::string_view result, NodeKind kind, NodeProperties& words);
    void takeInput(Places& places, std::string_view value);
    void transpose(Places& places, std::string_view value, Layout to);
    [[nodiscard]] bool leaves(std::string_view value) const;
    core::Result<> addOutputs();
    core::Result<> addOutput(std::string_view value);

    lowering::EdgeMethod& method;
    Constants& constants;
    lowering::WeightStore& store;
    std::span<const NodeIndex> nodes;
    std::vector<bool> inside;   ///< by NodeIndex
    std::vector<bool> skipped;  ///< likewise
    std::unordered_map<std::string_view, Places> values;
    PayloadDraft draft;
    std::vector<lowering::NodeIndex> madeFor;  ///< the graph's node, by node of the draft
    lowering::DelegatedPart part;
    std::vector<ValueIndex> constantInputs;  ///< DelegatedPart::constants
    bool integers = false;
};

}  // namespace et::backends::xnnpack

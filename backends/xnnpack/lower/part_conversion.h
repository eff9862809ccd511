#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/lowering/method_emission.h"
#include "backends/lowering/weight_store.h"
#include "backends/xnnpack/lower/clamps.h"
#include "backends/xnnpack/lower/constants.h"
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

/// How a value lies in memory inside a delegate. The library computes images with their channels last.
enum class Layout : std::uint8_t {
    Plain,        ///< as the graph has it
    ChannelsLast  ///< of four dimensions: NHWC
};

/// A node that moves the elements of a result to where the graph has them.
struct Rearrangement {
    NodeKind kind{};
    NodeFields fields{};
    std::vector<std::uint32_t> from{};  ///< sizes of what it reads
};

/// What a converter adds a node with.
struct NodeWords {
    Layout layout = Layout::Plain;  ///< of the result
    NodeFields fields{};
    std::uint32_t flags = 0;
    std::optional<OutputRange> range{};  ///< of a clamp
    std::string_view result{};           ///< what the node makes, where that is another node's result
    std::vector<Rearrangement> then{};   ///< behind the node; none: it makes the result
};

/// Turns some nodes of a graph into a payload. Converters (operator_rows.h) ask it for values and give it
/// nodes; it moves between layouts, fuses clamps into what is before them, and finds out which values cross
/// the border.
class PartConversion {
  public:
    PartConversion(lowering::EdgeMethod& of, Constants& known, std::span<const NodeIndex> nodes,
                   lowering::WeightStore& store);

    /// Errors: as Constants::get() and the converters; Format (they made no payload that can be read back).
    [[nodiscard]] core::Result<lowering::DelegatedPart> run();

    // For converters. Values are named as in the graph.

    [[nodiscard]] const lowering::EdgeMethod& edge() const { return method; }
    [[nodiscard]] bool isConstant(std::string_view value) const { return constants.has(value); }
    /// Row-major float32, whatever float the record has. Errors: as Constants::get(); Unsupported.
    [[nodiscard]] core::Result<std::vector<float>> floats(std::string_view value);
    /// Upper bounds where they are symbolic.
    [[nodiscard]] std::vector<std::int64_t> sizesOf(std::string_view value) const;
    [[nodiscard]] Datatype datatypeOf(std::string_view value) const;

    /// The layout in which a value is there, or comes from outside.
    [[nodiscard]] Layout layoutOf(std::string_view value) const;
    /// A layout for a result that has an element where its operands have one: that of those that are there.
    [[nodiscard]] Layout commonLayout(std::span<const std::string_view> operands) const;
    /// The value in a layout. Errors: as Constants::get().
    [[nodiscard]] core::Result<ValueIndex> read(std::string_view operand, Layout layout);
    /// A constant with one element, for nodes that read it in each run.
    [[nodiscard]] ValueIndex number(float number, Datatype datatype);
    /// A constant of the payload, for nodes that pack it, as convolutions and products do: a delegate of
    /// ExecuTorch drops what it was made of. `hint`: how to name it.
    [[nodiscard]] ValueIndex weights(std::span<const float> elements, std::vector<std::uint32_t> sizes,
                                     std::string_view hint, Datatype datatype = Datatype::Fp32);

    /// Whether the node that is being converted computes with int8: reading a dequantized operand then gives
    /// what it was dequantized from, and what it makes is quantized.
    [[nodiscard]] bool hasIntegers() const { return integers; }
    /// Scale and zero point of an operand of such a node.
    [[nodiscard]] PerTensorQuantization scaleOf(std::string_view operand) const;
    /// The weights of a product as integers; nothing where they have none that the library computes with.
    /// Errors: as Constants::get().
    [[nodiscard]] core::Result<std::optional<QuantizedWeight>> integerWeight(std::string_view value,
                                                                             std::size_t outputDim);
    /// Weights of a product in the payload: `order` of their dimensions, outputs of `outputDim` of the
    /// result.
    [[nodiscard]] core::Result<ValueIndex> integerFilter(const QuantizedWeight& weight,
                                                         std::span<const std::uint8_t> order,
                                                         std::uint32_t outputDim);
    /// A bias for products of int8 with scales that follow from those of both operands.
    [[nodiscard]] ValueIndex integerBias(std::span<const float> bias, float inputScale,
                                         std::span<const float> weightScales, std::string_view hint);
    /// An operand that is quantized in each run, with a scale for what all but `sharing` dimensions tell
    /// apart.
    [[nodiscard]] core::Result<ValueIndex> readDynamic(const etrecord::Node& from, std::string_view source,
                                                       Layout layout, std::uint32_t sharing);

    /// The node that alone reads a value, if it is in the part and the value does not leave it.
    [[nodiscard]] const etrecord::Node* onlyReader(std::string_view value) const;
    /// Something before computes the node as well.
    void skip(const etrecord::Node& node);

    /// Adds a node that makes the first result of `from`, or what a clamp behind it makes of it.
    void give(const etrecord::Node& from, NodeKind kind, std::vector<ValueIndex> inputs,
              NodeWords words = {});
    /// Adds a node between others, which makes a value that the graph does not have.
    ValueIndex between(const etrecord::Node& from, NodeKind kind, std::vector<ValueIndex> inputs,
                       DraftValue value, NodeFields fields = {}, std::uint32_t flags = 0);
    /// A value of the same type as another.
    [[nodiscard]] DraftValue alike(ValueIndex value) const;
    /// What is made of values that lie behind one another along an axis of memory.
    [[nodiscard]] DraftValue joined(std::span<const ValueIndex> parts, std::uint32_t axis) const;
    /// The result of the node is its operand, in whatever layouts that is there. Errors: as read().
    [[nodiscard]] core::Result<> pass(const etrecord::Node& from, std::string_view operand);

  private:
    struct Places {
        std::array<std::optional<ValueIndex>, 2> at;  ///< by Layout
        std::optional<ValueIndex>& operator[](Layout layout) { return at[static_cast<std::size_t>(layout)]; }
        const std::optional<ValueIndex>& operator[](Layout layout) const {
            return at[static_cast<std::size_t>(layout)];
        }
    };

    /// What becomes of the first result of a node, or of `result`: a clamp and a quantization behind it.
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
    ValueIndex addConstant(DraftValue value, lowering::PartConstant constant);
    std::string_view finish(std::string_view result, NodeKind kind, NodeWords& words);
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
    std::vector<lowering::NodeIndex> madeFor;  ///< which node each of the draft's was made for
    lowering::DelegatedPart part;
    std::vector<ValueIndex> constantInputs;  ///< DelegatedPart::constants
    bool integers = false;
};

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/lower/payload_draft.h"
#include "backends/xnnpack/payload/node_traits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Dimensions of an image: batch, channels, height, width.
inline constexpr std::size_t imageRank = 4;

/// Memory layout of a value inside a delegate. The library computes images with channels last.
enum class Layout : std::uint8_t {
    Plain,        ///< as in the graph
    ChannelsLast  ///< for four dimensions: NHWC
};
/// Dimensions of an image in ChannelsLast order.
inline constexpr std::array<std::uint8_t, imageRank> channelsLastOrder{0, 2, 3, 1};

/// Nodes of a graph that become one delegate, and queries about the values that they read and produce. Values
/// are named as in the graph.
class PartGraph {
  public:
    /// All must outlive it.
    PartGraph(const lowering::EdgeMethod& of, const Constants& known,
              std::span<const lowering::NodeIndex> nodes);

    [[nodiscard]] const lowering::EdgeMethod& edge() const { return method; }
    [[nodiscard]] bool isConstant(std::string_view value) const { return constants.has(value); }
    /// Sizes; upper bounds for symbolic ones.
    [[nodiscard]] std::vector<std::int64_t> sizesOf(std::string_view value) const;
    [[nodiscard]] Datatype datatypeOf(std::string_view value) const;
    /// The layout of a value outside of the part.
    [[nodiscard]] Layout outsideLayout(std::string_view value) const;
    /// The type of a value in a layout.
    [[nodiscard]] DraftValue describe(std::string_view value, Layout layout) const;

    /// Whether the part computes a node.
    [[nodiscard]] bool contains(const etrecord::Node& node) const;
    /// Whether a value is read outside of the part.
    [[nodiscard]] bool leaves(std::string_view value) const;
    /// The only reader of a value, if it is in the part and the value is not needed outside.
    [[nodiscard]] const etrecord::Node* onlyReader(std::string_view value) const;

    /// The int8 value that a value is dequantized from, in the part or before the program runs; empty if
    /// none.
    [[nodiscard]] std::string_view sourceOf(std::string_view value) const;
    /// The scale of an int8 value: from the node that produces it, otherwise from a reader.
    [[nodiscard]] std::optional<PerTensorQuantization> quantizationOf(std::string_view value) const;
    /// Scale and zero point of an operand of an int8 node.
    [[nodiscard]] PerTensorQuantization scaleOf(std::string_view operand) const;

    /// End of the chain after a result: a following clamp and quantization.
    struct Tail {
        std::string_view result;
        std::optional<OutputRange> range;
        const etrecord::Node* clamp = nullptr;
        const etrecord::Node* quantizer = nullptr;
    };
    /// `kind`: of the node that computes the result.
    [[nodiscard]] Tail tailOf(std::string_view result, NodeKind kind) const;

  private:
    const lowering::EdgeMethod& method;
    const Constants& constants;
    std::vector<bool> inside;  ///< by NodeIndex
};

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/lowering/method_emission.h"
#include "backends/lowering/weight_store.h"
#include "backends/xnnpack/lower/part_constants.h"
#include "backends/xnnpack/lower/part_graph.h"
#include "backends/xnnpack/lower/partitioner.h"
#include "backends/xnnpack/lower/payload_draft.h"
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
    PartConversion(const lowering::EdgeMethod& of, Constants& known, std::span<const NodeIndex> nodes,
                   lowering::WeightStore& store);

    /// Errors: those of `watch`, of Constants::get() and of the converters; Format (the resulting payload
    /// cannot be read back).
    [[nodiscard]] core::Result<lowering::DelegatedPart> run(const NodeWatch& watch);

    // Interface for converters. Values are named as in the graph.

    [[nodiscard]] const PartGraph& graph() const { return nodesOfPart; }
    [[nodiscard]] PartConstants& constants() { return ownConstants; }

    /// The layout in which a value exists, or in which it comes from outside.
    [[nodiscard]] Layout layoutOf(std::string_view value) const;
    /// A layout for the result of an elementwise operator: that of operands that already exist.
    [[nodiscard]] Layout commonLayout(std::span<const std::string_view> operands) const;
    /// The value in a layout. Errors: those of Constants::get().
    [[nodiscard]] core::Result<ValueIndex> read(std::string_view operand, Layout layout);

    /// Whether the current node is computed with int8: reading a dequantized operand then returns the
    /// quantized value, and the result is quantized.
    [[nodiscard]] bool hasIntegers() const { return integers; }
    /// An operand quantized in each run, with a scale for each index of all dimensions except the last
    /// `sharing` ones.
    [[nodiscard]] core::Result<ValueIndex> readDynamic(const etrecord::Node& from, std::string_view source,
                                                       Layout layout, std::uint32_t sharing);

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

    [[nodiscard]] core::Error named(core::Error error) const;
    core::Result<bool> computesIntegers(const etrecord::Node& node, const OperatorRow& row);
    core::Result<bool> hasIntegerProduct(const etrecord::Node& node);
    core::Result<> dequantize(Places& places, std::string_view value, Layout layout);
    std::string_view finish(std::string_view result, NodeKind kind, NodeProperties& words);
    void takeInput(Places& places, std::string_view value);
    void transpose(Places& places, std::string_view value, Layout to);
    core::Result<> addOutputs();
    core::Result<> addOutput(std::string_view value);

    const lowering::EdgeMethod& method;
    std::span<const NodeIndex> nodes;
    PartGraph nodesOfPart;
    PayloadDraft draft;
    PartConstants ownConstants;
    std::vector<bool> skipped;  ///< by NodeIndex
    std::unordered_map<std::string_view, Places> values;
    std::vector<lowering::NodeIndex> madeFor;  ///< the graph's node, by node of the draft
    lowering::DelegatedPart part;
    bool integers = false;
};

}  // namespace et::backends::xnnpack

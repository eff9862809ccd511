#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/lowering/partitioner.h"
#include "backends/xnnpack/lower/constants.h"
#include "backends/xnnpack/nodes/node_traits.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

class PartConversion;
struct OperatorRow;

/// What the library computes of an operator with int8 operands and results.
enum class Integers : std::uint8_t {
    None,      ///< nothing: operands are dequantized before
    Any,       ///< all scales
    OneScale,  ///< where operands and result have the same scale and zero point
    Product    ///< with constant weights that have a scale a channel
};

/// What a rule looks at.
struct NodeQuestion {
    const lowering::EdgeMethod& method;
    const Constants& constants;
    const std::vector<bool>& taken;  ///< by NodeIndex; of the nodes before
    const lowering::NodeFilter& mayTake;
    const etrecord::Node& node;

    [[nodiscard]] std::string_view operand(std::string_view argument) const;
    [[nodiscard]] std::size_t rankOf(std::string_view value) const;
};

/// How one operator of the Edge dialect becomes nodes of a payload.
struct OperatorRow {
    std::string_view op;  ///< "aten.add.Tensor"
    NodeKind kind;        ///< what it becomes, or the node that its converter starts with
    /// The rule that keeps a node out, beside those that all have; empty: it may be taken. Null: no such
    /// rule.
    std::string (*refuse)(const NodeQuestion& question);
    core::Result<> (*convert)(PartConversion& to, const etrecord::Node& node, const OperatorRow& row);
    Integers integers = Integers::None;
    bool floats = true;  ///< all of its tensors are float32, or all are float16
};

/// The value that an operator of one operand computes with.
[[nodiscard]] std::string_view operandOf(const etrecord::Node& node);

// Families, each in the file of its name.
[[nodiscard]] std::span<const OperatorRow> elementwiseRows();
[[nodiscard]] std::span<const OperatorRow> productRows();
[[nodiscard]] std::span<const OperatorRow> convolutionRows();
[[nodiscard]] std::span<const OperatorRow> imageRows();
[[nodiscard]] std::span<const OperatorRow> arrangementRows();
[[nodiscard]] std::span<const OperatorRow> quantizerRows();

/// Null for an operator that no delegate of ours computes.
[[nodiscard]] const OperatorRow* operatorRow(std::string_view op);

/// Why a node stays out; empty: it may be taken. Of nodes in graph order, each after those before.
[[nodiscard]] std::string whyNot(const NodeQuestion& question);

}  // namespace et::backends::xnnpack
